import { describe, expect, it } from "vitest"
import { inReadingOrder, lineMarks, offsetOf, problemCount } from "./text-lines.ts"

const text = "one\n  two\n\nfour"
const problem = (severity: "error" | "warning", line: number | null, column: number | null = null) => ({
  severity,
  message: `${severity} ${line}`,
  line,
  column,
})

describe("lines of a text", () => {
  it.each([
    { line: 1, column: 1, rest: "one" },
    { line: 2, column: 3, rest: "two" },
    { line: 3, column: 1, rest: "" },
    { line: 3, column: 9, rest: "" },
    { line: 4, column: 2, rest: "our" },
  ])("finds line $line, column $column", ({ line, column, rest }) => {
    expect(text.slice(offsetOf(text, line, column)).split("\n")[0]).toBe(rest)
  })

  it("takes what lies beyond the text for its end", () => {
    expect(offsetOf(text, 99)).toBe(text.length)
    expect(offsetOf(text, 1, 99)).toBe(3)
  })

  it("marks a line once, by the graver of its problems", () => {
    const problems = [
      problem("warning", 2),
      problem("error", 2),
      problem("warning", 2),
      problem("warning", 99),
      problem("error", null),
    ]
    expect(lineMarks(problems, text.split("\n").length)).toEqual([
      { line: 2, severity: "error" },
      { line: 4, severity: "warning" },
    ])
  })

  it("lists errors before warnings, each from the top", () => {
    const order = inReadingOrder([
      problem("warning", 1),
      problem("error", 9),
      problem("error", 3, 5),
      problem("error", 3, 2),
    ])
    expect(order.map(({ line, column }) => [line, column])).toEqual([
      [3, 2],
      [3, 5],
      [9, null],
      [1, null],
    ])
  })

  it("counts problems in words", () => {
    expect(problemCount([])).toBeNull()
    expect(problemCount([problem("error", 1), problem("error", 2), problem("warning", 1)])).toBe(
      "2 errors and 1 warning",
    )
  })
})
