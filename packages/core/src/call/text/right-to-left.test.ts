import { describe, expect, it } from "vitest"
import { growthOf } from "../../../../../test/growth-of.ts"
import { mayBeReordered } from "./right-to-left.ts"

describe("whether a text may be displayed in another order than the one sent", () => {
  it.each([
    ["Hebrew letters and numbers", "\u05d0 0600 / 0777 \u05d1"],
    ["Arabic letters and numbers", "\u0645\u0646 10 \u0625\u0644\u0649 20"],
    ["Arabic letters and their own numbers", "\u0645\u0646 \u0661\u0660 \u0625\u0644\u0649 \u0662\u0660"],
    ["Syriac letters", "\u0710 1"],
    ["Thaana letters", "\u0780 1"],
    ["letters of NKo", "\u07ca 1"],
    ["letters of Adlam", "\u{1e900} 1"],
    ["letters of an old script", "\u{10900} 1"],
    ["presentation forms", "\ufb1d 1"],
    ["a sign that is no letter", "\u05be 0600 / 0777 \u05be"],
    ["Latin letters", "\u05e9\u05dc\u05d5\u05dd John"],
    ["signs between letters", "\u05d0 / \u05d1"],
    ["signs between numbers", "\u0660\u0666 / \u0660\u0667"],
    ["a line among others", "one\n\u05d0 1\ntwo"],
  ])("%s", (_, text) => expect(mayBeReordered(text)).toBe(true))

  it.each([
    ["ASCII", "0600 / 0777"],
    ["other alphabets from left to right", "Привет 1, 检查 2, é"],
    ["words alone", "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd"],
    [
      "words with their own signs and accents",
      "\u05e8\u05e9\u05ea\u05be\u05d1\u05d9\u05ea \u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd\u060c \u0639\u0627\u0644\u0645",
    ],
    ["a word and the sign at its end", "\u05e9\u05dc\u05d5\u05dd!"],
    ["a number alone", "\u0660\u0666\u0660\u0660"],
    ["lines that are not mixed", "\u05e9\u05dc\u05d5\u05dd\nHello 1"],
    ["what is hidden, and marked", "a\u200f1\u061c"],
  ])("not by %s", (_, text) => expect(mayBeReordered(text)).toBe(false))

  it("is told in a time that grows with the text", () => {
    for (const part of ["\u05d0 ", "\u05d0", "/", "\u05d0/", " ", "\u05b0", "\u0661"]) {
      expect(growthOf((text) => mayBeReordered(`\u05d0${text}`), part.repeat(200_000))).toBeLessThan(3)
    }
  })
})
