import { describe, expect, it } from "vitest"
import { compareParsers, readByBoth, readByNode } from "./fixtures/compare-parsers.ts"
import { compareReaders } from "./fixtures/compare-readers.ts"

describe("the fast path and node's parser", () => {
  it("make the same of 50,000 requests, however they are cut", () => {
    const { difference, requests, fast, handedOver, refused } = compareParsers(20_261_116, 50_000)
    expect(difference).toBeNull()
    // Each way is taken often enough to be worth a comparison.
    expect(requests).toBeGreaterThanOrEqual(50_000)
    expect(fast).toBeGreaterThan(requests / 4)
    expect(handedOver).toBeGreaterThan(requests / 10)
    expect(refused).toBeGreaterThan(requests / 20)
  })

  const usual = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\r\nContent-Length: 4\r\n\r\n"
  it.each([
    { name: "usual requests", text: `${usual}\r\n\r\n${usual}{"a"${usual}abcd` },
    {
      name: "a usual one and one in chunks",
      text: `${usual}abcd${usual.replace("Content-Length: 4", "Transfer-Encoding: chunked")}4\r\nabcd\r\n0\r\n\r\n${usual}abcd`,
    },
    { name: "a usual one and one that is refused", text: `${usual}abcd${usual.replace("X:", "X :")}abcd` },
    { name: "two lengths that differ", text: `${usual.replace("X: a", "Content-Length: 5")}abcd${usual}abcd` },
    { name: "one that is not whole", text: `${usual}abcd${usual}ab` },
  ])("agree on $name, cut at every byte", ({ text }) => {
    const bytes = Buffer.from(text, "latin1")
    const whole = readByNode([bytes])
    for (let at = 1; at < bytes.length; at++) {
      const { messages, state } = readByBoth([bytes.subarray(0, at), bytes.subarray(at)])
      expect({ at, messages, state }).toEqual({ at, ...whole })
    }
    const { messages, state } = readByBoth(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))
    expect({ messages, state }).toEqual(whole)
  })
})

describe("the fast path's reader of answers and node's", () => {
  it("make the same of every answer that ours takes, of 50,000", () => {
    const { difference, taken, refused } = compareReaders(20_261_116, 50_000)
    expect(difference).toBeNull()
    expect(taken).toBeGreaterThan(10_000)
    expect(refused).toBeGreaterThan(10_000)
  })
})
