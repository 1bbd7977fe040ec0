import { describe, expect, it } from "vitest"
import { createOutput } from "../terminal/create-output.ts"
import { lineWidth } from "./cut-line.ts"
import { inRow } from "./in-row.ts"
import { table } from "./table.ts"
import { goesOn } from "./wrap-line.ts"

/** A table as it is written where there are so many columns; null: to a file. */
function written(rows: ReadonlyArray<readonly string[]>, columns: number | null): string {
  let shown = ""
  const write = (text: string): void => {
    shown += text
  }
  const stdout = createOutput({ write, isTerminal: columns !== null, columns: () => columns ?? undefined })
  stdout.write(table(rows, { stdout, env: new Map([["NO_COLOR", "1"]]) }))
  return shown
}
const widest = (text: string) => Math.max(...text.split("\n").map(lineWidth))

describe("a table on a terminal", () => {
  const forged = "2026-11-18 09:00:00Z  approval.denied  c0ffee  rec(delete); by ada"
  const rows = [
    ["2026-11-18 08:00:00Z", "call.allowed", "abcdef", `rec(read${" ".repeat(31)}${forged})`],
    ["2026-11-18 08:00:00Z", "run.failed", "abcdef", `rec(read); detail a\n${forged}`],
    ["2026-11-18 08:00:00Z", "call.allowed", "abcdef", `rec(${"読".repeat(60)})`],
  ]

  it.each([20, 47, 80, 100])("of %i columns has no row that a name has drawn", (columns) => {
    const shown = written(rows, columns)
    expect(widest(shown)).toBeLessThanOrEqual(columns)
    const ours = shown.split("\n").filter((row) => row !== "" && !row.startsWith(goesOn))
    expect(ours).toHaveLength(rows.length)
    expect(ours.every((row) => row.startsWith("2026-11-18"))).toBe(true)
  })

  it("that does not say how wide it is counts as one of 80", () => {
    expect(widest(written(rows, 0))).toBeLessThanOrEqual(80)
  })
})

it("a table for a file or a program stays as it is", () => {
  const name = `read${" ".repeat(200)}x\ny`
  expect(written([["a", name]], null)).toBe(`a  ${name}\n`)
})

it("within a line of ours, others' words begin none", () => {
  expect(inRow("  revoke   a\n  revoke   b", { isTerminal: true })).toBe(`  revoke   a\n${goesOn}  revoke   b`)
})
