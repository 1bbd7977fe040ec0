import fc from "fast-check"
import { expect, it } from "vitest"
import { lineWidth } from "../decide/cut-line.ts"
import { goesOn } from "../decide/wrap-line.ts"
import { createOutput } from "./create-output.ts"
import { asIs } from "./paint.ts"

/** What is written of these texts where there are so many columns; null: to a file. */
function written(
  texts: ReadonlyArray<Parameters<ReturnType<typeof createOutput>["write"]>[0]>,
  columns: number | null,
) {
  let shown = ""
  const output = createOutput({
    write: (text) => {
      shown += text
    },
    isTerminal: columns !== null,
    columns: () => columns ?? undefined,
  })
  for (const text of texts) output.write(text)
  return shown
}

it("I1: ends rows before the terminal's edge, in whatever pieces a line is written, and loses nothing", () => {
  const piece = fc.constantFrom("a", " ", "word", "字", "\u001b[1m", "\n", "\nRemove:", " ".repeat(30), "x".repeat(50))
  const texts = fc.array(
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(texts, fc.integer({ min: 20, max: 120 }), (given, columns) => {
      const shown = written(given, columns)
      const rows = shown.replaceAll(/\u001b\[[\d;]*m/g, "").split("\n")
      expect(Math.max(...rows.map(lineWidth))).toBeLessThanOrEqual(columns)
      expect(shown.replaceAll(`\n${goesOn}`, "")).toBe(given.join(""))
    }),
  )
})

it("I1: takes a terminal that does not say how wide it is for one of 80 columns", () => {
  expect(written(["x".repeat(100)], 0)).toBe(`${"x".repeat(80)}\n${goesOn}${"x".repeat(20)}`)
})

it("I1: leaves what is marked as it is", () => {
  expect(written([asIs(`${"x".repeat(100)}\n`), "y"], 40)).toBe(`${"x".repeat(100)}\ny`)
})

it("I2: gives files and programs everything as it is", () => {
  expect(written([`${"x".repeat(100)}\n`, asIs("y")], null)).toBe(`${"x".repeat(100)}\ny`)
})
