import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { hasManyMarks, mostMarks, normalizeText } from "./normalize-text.ts"

const forms = ["NFC", "NFD", "NFKC", "NFKD"] as const
const marks = (count: number): string => "\u0315\u0300".repeat(count / 2)

describe("normalizeText", () => {
  it.each(forms)("is Unicode's %s for any text without very many marks", (form) => {
    const texts = fc.string({
      unit: fc.constantFrom("a", "é", "ﬁ", "\u0315", "\u0300", "한", "🙂", "\u{1d165}"),
      maxLength: 300,
    })
    fc.assert(fc.property(texts, (text) => hasManyMarks(text) || normalizeText(text, form) === text.normalize(form)))
  })

  it.each([
    ["before", `${marks(mostMarks)}a${"x".repeat(mostMarks)}`, false],
    ["between", `a${marks(mostMarks)}b${marks(mostMarks)}`, false],
    ["one more", `a${marks(mostMarks)}\u0301`, true],
    ["beyond the first plane", `a${"\u{1d165}".repeat(mostMarks + 1)}`, true],
    ["none in a long text", "x".repeat(10_000), false],
  ])("counts marks in a row: %s", (_, text, isMany) => {
    expect(hasManyMarks(text)).toBe(isMany)
  })

  it("takes marks without end apart, and keeps all of them", () => {
    const text = `a${marks(1_000_000)}b`
    const normal = normalizeText(text, "NFD")
    expect(normal).toHaveLength(text.length)
    expect(normal.slice(0, 3)).toBe("a\u0300\u0300")
    expect(normalizeText(text, "NFKC").at(-1)).toBe("b")
  })
})
