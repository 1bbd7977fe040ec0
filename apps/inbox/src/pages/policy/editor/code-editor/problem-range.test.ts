import { expect, it } from "vitest"
import { problemRange } from "./problem-range.ts"

const text = 'version: 1\npolicy:\n  alow: "a b" # why\n\n  rules: [a, b]\n  - c: d'

it.each([
  { name: "a key at its column", line: 3, column: 3, is: "alow" },
  { name: "a quoted value", line: 3, column: 9, is: '"a b"' },
  { name: "an element of a list", line: 5, column: 11, is: "a" },
  { name: "a bracket", line: 5, column: 10, is: "[" },
  { name: "a dash", line: 6, column: 3, is: "-" },
  { name: "a line without a column", line: 2, column: null, is: "policy:" },
  { name: "a column beyond the line", line: 1, column: 80, is: "version: 1" },
  { name: "an indentation", line: 5, column: 1, is: "rules" },
  { name: "an empty line", line: 4, column: 1, is: "" },
  { name: "a line beyond the text", line: 99, column: 1, is: "" },
])("$name", ({ line, column, is }) => {
  const range = problemRange(text, { line, column })
  expect(range && text.slice(range.from, range.to)).toBe(is)
})

it("marks nothing where a problem is about the whole", () => {
  expect(problemRange(text, { line: null, column: null })).toBeNull()
})
