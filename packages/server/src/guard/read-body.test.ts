import { createBodyBudget, freeBodyBytes } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { mostBytes, readBody, readWithin } from "./read-body.ts"

const sent = (body: string | Uint8Array<ArrayBuffer>): Request =>
  new Request("http://127.0.0.1/", { method: "POST", body })

describe("a body", () => {
  it("is read exactly as it was sent, with its mark at the beginning", async () => {
    expect(await readBody(sent("\ufeff{ }\r\n"), 100)).toBe("\ufeff{ }\r\n")
    expect(await readBody(new Request("http://127.0.0.1/"), 100)).toBe("")
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
    expect(await readBody(sent(Uint8Array.from(bytes)), 100)).toMatchObject({ refusedWith: "bad-json" })
  })

  it("I5: is refused where it and what else its sender is sending are too much; another's is read, and nothing is counted in the end", async () => {
    const budget = createBodyBudget(() => ({ perPrincipal: 100_000, inAll: 300_000 }))
    const half = new TransformStream<Uint8Array, Uint8Array>()
    const writer = half.writable.getWriter()
    const options = { method: "POST", body: half.readable, duplex: "half" } as RequestInit
    const slow = readWithin(budget, "ann", new Request("http://127.0.0.1/", options), mostBytes)
    await writer.write(new Uint8Array(freeBodyBytes + 60_000))
    await expect.poll(budget.used).toBe(60_000)
    const text = "x".repeat(freeBodyBytes + 60_000)
    expect(await readWithin(budget, "ann", sent(text), mostBytes)).toMatchObject({ refusedWith: "unavailable" })
    expect(await readWithin(budget, "bob", sent(text), mostBytes)).toBe(text)
    await writer.abort(new Error("gone"))
    expect(await slow).toMatchObject({ refusedWith: "bad-request", detail: "The body broke off before its end." })
    expect(budget.used()).toBe(0)
  })
})
