import fc from "fast-check"
import { expect, it } from "vitest"
import { shortWords } from "./short-words.ts"

it("says how much was cut", () => {
  expect(shortWords("x".repeat(10_000_000))).toBe(`${"x".repeat(460)}… (9,999,540 more characters)`)
  expect(shortWords("Nothing answers.")).toBe("Nothing answers.")
})

it("is never longer than it may be, is well-formed, and cuts once", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 600 }), fc.integer({ min: 60, max: 300 }), (text, most) => {
      const cut = shortWords(text, most)
      expect(cut.length).toBeLessThanOrEqual(most)
      expect(cut.isWellFormed()).toBe(text.isWellFormed() || cut.isWellFormed())
      expect(shortWords(cut, most)).toBe(cut)
    }),
  )
})
