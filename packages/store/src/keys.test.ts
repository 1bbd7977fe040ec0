import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterEach, beforeEach, expect, it } from "vitest"
import { openKeys } from "./keys.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "byleave-keys-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

it("makes keys once, for their owner's eyes only, and reads them again", () => {
  const data = join(folder, "data", "byleave")
  const made = openKeys(data)
  const again = openKeys(data)
  expect(again.digestKey).toBe(made.digestKey)
  expect(again.signer.verify("text", made.signer.sign("text"))).toBe(true)
  expect(statSync(join(data, "keys.json")).mode & 0o777).toBe(0o600)
  expect(statSync(data).mode & 0o777).toBe(0o700)
  expect(readdirSync(data)).toEqual(["keys.json"])
})

it("gives processes that start together the same keys", async () => {
  const keys = fileURLToPath(new URL("./keys.ts", import.meta.url))
  const program = `import { openKeys } from ${JSON.stringify(keys)}
    const { signer, digestKey } = openKeys(process.argv[1])
    console.log(signer.keyId, digestKey)`
  const start = (): Promise<{ stdout: string }> =>
    promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program, folder], {
      cwd: fileURLToPath(new URL(".", import.meta.url)),
    })
  const printed = await Promise.all([start(), start(), start()])
  expect(new Set(printed.map(({ stdout }) => stdout)).size).toBe(1)
  expect(readdirSync(folder)).toEqual(["keys.json"])
})

it.each([
  { name: "empty", text: "" },
  { name: "not JSON", text: "{" },
  { name: "of another kind", text: '{"version":2}' },
  { name: "null", text: "null" },
  { name: "without a digest key", text: '{"version":1,"signingKey":"AAAA","digestKey":""}' },
  { name: "with a signing key that does not read", text: '{"version":1,"signingKey":"AAAA","digestKey":"k"}' },
])("refuses a keys file that is $name, and leaves it as it is", ({ text }) => {
  const path = join(folder, "keys.json")
  writeFileSync(path, text)
  expect(() => openKeys(folder)).toThrow(/keys file .*keys\.json/)
  expect(statSync(path).size).toBe(text.length)
})
