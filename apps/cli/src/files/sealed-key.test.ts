import { expect, it } from "vitest"
import { afterKey } from "../terminal/ask-secret.ts"
import { openKey, readSealedKey, sealKey } from "./sealed-key.ts"

it("opens with the PIN alone, and not when a byte of it changed", async () => {
  const sealed = await sealKey("the key", "correct horse")
  expect(JSON.stringify(sealed)).not.toContain("the key")
  expect(sealed.kdf).toMatchObject({ name: "scrypt", N: 131_072, r: 8, p: 1 })
  const read = readSealedKey(JSON.stringify(sealed))
  expect(read && (await openKey(read, "correct horse"))).toBe("the key")
  expect(await openKey(sealed, "correct horsE")).toBeNull()
  expect(await openKey({ ...sealed, tag: Buffer.alloc(16).toString("base64") }, "correct horse")).toBeNull()
})

it.each([
  "",
  "null",
  "{}",
  '{"version":1,"kdf":{"name":"scrypt","N":1e12,"r":8,"p":1,"salt":""},"iv":"","tag":"","sealed":""}',
])("is not read from %j", (text) => {
  expect(readSealedKey(text)).toBeUndefined()
})

it.each([
  { keys: "1234\r", is: { answer: "1234" } },
  { keys: "12\u007f3\n", is: { answer: "13" } },
  { keys: "12\u001534\r", is: { answer: "34" } },
  { keys: "12\u0003", is: { answer: null } },
  { keys: "12", is: "12" },
])("typed keys $keys make $is", ({ keys, is }) => {
  let typed: ReturnType<typeof afterKey> = ""
  for (const key of keys) if (typeof typed === "string") typed = afterKey(typed, key)
  expect(typed).toEqual(is)
})
