import { expect, it } from "vitest"
import { addedLines } from "./added-lines.ts"

it.each([
  { name: "in the middle", before: "a\nb\nc\n", after: "a\nb\nx\ny\nc\n", from: 3, to: 4 },
  { name: "at the end", before: "a\nb\n", after: "a\nb\nx\n", from: 3, to: 3 },
  { name: "in place of a line", before: "a\nb: []\nc\n", after: "a\nb:\n  - x\nc\n", from: 2, to: 3 },
  { name: "beside lines like it", before: "- a\n- a\n", after: "- a\n- a\n- a\n", from: 3, to: 3 },
])("finds what was added $name", ({ before, after, from, to }) => {
  expect(addedLines(before, after)).toEqual({ from, to })
})
