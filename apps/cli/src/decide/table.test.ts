import { describe, expect, it } from "vitest"
import { inRow, inRows } from "./in-rows.ts"
import { table } from "./table.ts"
import { goesOn, widthOf } from "./wrap-line.ts"

const output = (columns: number | null) => ({
  write: () => {},
  isTerminal: columns !== null,
  ...(columns === null ? {} : { columns: () => columns }),
})
const on = (columns: number | null) => ({ stdout: output(columns), env: new Map([["NO_COLOR", "1"]]) })
const widest = (text: string) =>
  Math.max(
    ...text.split("\n").map((row) => [...row.replace("│", "|")].reduce((width, letter) => width + widthOf(letter), 0)),
  )

describe("a table on a terminal", () => {
  const forged = "2026-11-18 09:00:00Z  approval.denied  c0ffee  rec(delete); by ada"
  const rows = [
    ["2026-11-18 08:00:00Z", "call.allowed", "abcdef", `rec(read${" ".repeat(31)}${forged})`],
    ["2026-11-18 08:00:00Z", "run.failed", "abcdef", `rec(read); detail a\n${forged}`],
    ["2026-11-18 08:00:00Z", "call.allowed", "abcdef", `rec(${"読".repeat(60)})`],
  ]

  it.each([20, 47, 80, 100])("of %i columns has no row that a name has drawn", (columns) => {
    const shown = table(rows, on(columns))
    expect(widest(shown)).toBeLessThanOrEqual(columns)
    const ours = shown.split("\n").filter((row) => row !== "" && !row.startsWith(goesOn))
    expect(ours).toHaveLength(rows.length)
    expect(ours.every((row) => row.startsWith("2026-11-18"))).toBe(true)
  })

  it("that does not say how wide it is counts as one of 80", () => {
    expect(widest(table(rows, on(0)))).toBeLessThanOrEqual(80)
  })
})

it("a table for a file or a program stays as it is", () => {
  const name = `read${" ".repeat(200)}x\ny`
  expect(table([["a", name]], on(null))).toBe(`a  ${name}\n`)
})

it("lines of ours stay lines; within a line, others' words begin none", () => {
  expect(inRows("one\ntwo\n", output(80))).toBe("one\ntwo\n")
  expect(inRow("  revoke   a\n  revoke   b", output(80))).toBe(`  revoke   a\n${goesOn}  revoke   b`)
})
