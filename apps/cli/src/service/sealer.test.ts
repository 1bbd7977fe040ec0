import { randomBytes } from "node:crypto"
import { expect, it } from "vitest"
import { createSealer } from "./sealer.ts"

const sealer = createSealer(randomBytes(32))

it("opens what it sealed, and nothing that was changed, cut or made by another key", () => {
  const text = sealer.seal({ approval: "a1", digest: "d" })
  expect(text).toMatch(/^[\w-]+$/)
  expect(sealer.open(text)).toEqual({ approval: "a1", digest: "d" })
  expect(createSealer(randomBytes(32)).open(text)).toBeNull()
  for (let at = 0; at < text.length; at++) {
    const changed = `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`
    expect(sealer.open(changed), `changed at ${at}`).toBeNull()
  }
  for (const wrong of ["", "x", text.slice(0, -4), `${text}AAAA`, `${text}\n`]) expect(sealer.open(wrong)).toBeNull()
})

it("never seals the same thing to the same text", () => {
  expect(sealer.seal({ a: 1 })).not.toBe(sealer.seal({ a: 1 }))
})
