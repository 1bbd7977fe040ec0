import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ed25519Signer, newSigningKey } from "./signer.ts"

const key = newSigningKey()
const signer = ed25519Signer(key)

describe("ed25519Signer", () => {
  it("verifies what it signed, and no other text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (text, other) => {
        const signature = signer.sign(text)
        expect(signer.verify(text, signature)).toBe(true)
        expect(signer.verify(other, signature)).toBe(other === text)
      }),
      { numRuns: 30 },
    )
  })

  it("is the same signer when made again from its key", () => {
    const again = ed25519Signer(key)
    expect(again.keyId).toBe(signer.keyId)
    expect(again.verify("head", signer.sign("head"))).toBe(true)
  })

  it("names each key differently and rejects another key's signature", () => {
    const other = ed25519Signer(newSigningKey())
    expect(other.keyId).not.toBe(signer.keyId)
    expect(signer.keyId).toMatch(/^[0-9a-f]{16}$/)
    expect(signer.verify("head", other.sign("head"))).toBe(false)
  })

  it.each(["", "AAAA", "not base64 at all!", "A".repeat(88)])(
    "says no to a signature that is none: %j",
    (signature) => {
      expect(signer.verify("head", signature)).toBe(false)
    },
  )

  it("throws on a key that is none", () => {
    expect(() => ed25519Signer("AAAA")).toThrow()
  })
})
