import { describe, expect, it } from "vitest"
import { nodeHasher } from "./hasher.ts"

describe("nodeHasher", () => {
  it.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
  ])("gives the SHA-256 that FIPS 180 publishes for %j", (text, hash) => {
    expect(nodeHasher.sha256(text)).toBe(hash)
  })

  it("hashes text as UTF-8", () => {
    expect(nodeHasher.sha256("é")).toBe("4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c")
  })

  it("gives the HMAC that RFC 4231 publishes", () => {
    expect(nodeHasher.hmacSha256("Jefe", "what do ya want for nothing?")).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    )
  })

  it("gives another hash under another key", () => {
    expect(nodeHasher.hmacSha256("a", "text")).not.toBe(nodeHasher.hmacSha256("b", "text"))
  })
})
