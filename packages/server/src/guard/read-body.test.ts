import { describe, expect, it } from "vitest"
import { readBody } from "./read-body.ts"

const sent = (body: string | Uint8Array<ArrayBuffer>): Request =>
  new Request("http://127.0.0.1/", { method: "POST", body })

describe("a body", () => {
  it("is read exactly as it was sent, with its mark at the beginning", async () => {
    expect(await readBody(sent("\ufeff{ }\r\n"))).toBe("\ufeff{ }\r\n")
    expect(await readBody(new Request("http://127.0.0.1/"))).toBe("")
  })

  it("I1: of the limit is read, one byte more is not", async () => {
    expect(await readBody(sent("x".repeat(10)), 10)).toBe("x".repeat(10))
    expect(await readBody(sent("x".repeat(11)), 10)).toMatchObject({ refusedWith: "too-large" })
  })

  it.each([
    { name: "a byte UTF-8 does not know", bytes: [0x22, 0xff, 0x22] },
    { name: "half a character", bytes: [0x22, 0xc3] },
    { name: "a surrogate", bytes: [0xed, 0xa0, 0x80] },
    { name: "a character written too long", bytes: [0xc0, 0xaf] },
  ])("I2: with $name is refused, and not mended", async ({ bytes }) => {
    expect(await readBody(sent(Uint8Array.from(bytes)))).toMatchObject({ refusedWith: "bad-json" })
  })
})
