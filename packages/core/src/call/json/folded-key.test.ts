import { expect, it } from "vitest"
import { foldedKey } from "./folded-key.ts"

it("folds together every two characters that Unicode's simple case folding does", () => {
  const cased = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /[\p{L}\p{M}\p{N}\p{S}]/u.test(character))
    .filter((character) => character !== character.toLowerCase() || character !== character.toUpperCase())
  const all = cased.join("")
  expect(cased.length).toBeGreaterThan(2_700)
  for (const character of cased) {
    const same = all.match(new RegExp(character, "giu")) ?? []
    expect([...new Set(same.map(foldedKey))]).toEqual([foldedKey(character)])
  }
})

it.each([
  ["tab", "Tab"],
  ["straße", "STRASSE"],
  ["ẞ", "ss"],
  ["ΟΔΟΣ", "οδος"],
  ["ﬁle", "FILE"],
  ["\u1e9b\u0323", "\u1e69"],
  ["α\u0345\u0300", "\u1fb2"],
])("%s and %s fold together", (a, b) => {
  expect(foldedKey(a)).toBe(foldedKey(b))
})

it.each([
  ["a", "b"],
  ["a", "ä"],
  ["constructor", "constructo"],
  ["", " "],
])("%s and %s stay apart", (a, b) => {
  expect(foldedKey(a)).not.toBe(foldedKey(b))
})
