import fc from "fast-check"
import { expect, it } from "vitest"
import { createLineFeeds } from "./line-feeds.ts"

it("has each line end in a line feed, however the bytes are cut", () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom("\r", "\n", "a", "é", "ਊ"), maxLength: 6 }), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 5 }), (pieces, size) => {
      const text = pieces.join("")
      const bytes = new TextEncoder().encode(text)
      const lineFeeds = createLineFeeds()
      const given: number[] = []
      for (let at = 0; at < bytes.length; at += size) given.push(...lineFeeds(bytes.slice(at, at + size)))
      expect(new TextDecoder().decode(new Uint8Array(given))).toBe(text.replace(/\r\n?/g, "\n"))
    }),
  )
})

it("leaves the bytes of others as they are, and gives them on uncopied where nothing is to be done", () => {
  const bytes = Buffer.from("data: a\r\n\r\n")
  expect(createLineFeeds()(bytes).toString()).toBe("data: a\n\n")
  expect(bytes.toString()).toBe("data: a\r\n\r\n")
  const plain = Buffer.from("data: a\n\n")
  expect(createLineFeeds()(plain)).toBe(plain)
})
