import fc from "fast-check"
import { expect, it } from "vitest"
import { goesOn, wrapLine } from "./wrap-line.ts"

it("breaks between words where that is possible, and inside a word that fills a row", () => {
  expect(wrapLine("the quick brown fox jumps", 20)).toEqual(["the quick brown fox ", `${goesOn}jumps`])
  expect(wrapLine("x".repeat(25), 20)).toEqual(["x".repeat(20), `${goesOn}${"x".repeat(5)}`])
})

it("loses nothing, fits every row, and marks each that goes on", () => {
  const words = fc.array(fc.constantFrom("a", " ", "  ", "word", "字", "\u001b[1m", "x".repeat(30)), { maxLength: 40 })
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 60 }), (pieces, columns) => {
      const line = pieces.join("")
      const [first = "", ...rest] = wrapLine(line, columns)
      expect(rest.every((row) => row.startsWith(goesOn))).toBe(true)
      expect([first, ...rest.map((row) => row.slice(goesOn.length))].join("")).toBe(line)
      const most = Math.max(columns, widthOf(goesOn) + 2)
      expect(Math.max(...[first, ...rest].map(widthOf))).toBeLessThanOrEqual(most)
    }),
  )
})

function widthOf(row: string): number {
  const shown = [...row.replaceAll(/\u001b\[[\d;]*m/g, "")]
  return shown.reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2), 0)
}
