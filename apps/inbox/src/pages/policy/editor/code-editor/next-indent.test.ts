import { expect, it } from "vitest"
import { indentAfter } from "./next-indent.ts"

it.each([
  ["", 0],
  ["    ", 4],
  ["version: 1", 0],
  ["policy:", 2],
  ["  rules: # all of them", 4],
  ['    - allow: "files(read_*)"', 6],
  ["    - when:", 8],
  ["    - ask", 4],
  ["      reason: why: not", 6],
  ["      reason: |-", 8],
  ["servers: {", 2],
  ["  # a note:", 2],
  ["    - # a note", 4],
])("after %j a line begins at column %i", (line, column) => {
  expect(indentAfter(line)).toBe(column)
})
