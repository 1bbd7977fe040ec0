import { expect, it } from "vitest"
import { csvLine } from "./csv-line.ts"

it.each([
  { name: "plain words", cell: "read notes", written: "read notes" },
  { name: "nothing", cell: "", written: "" },
  { name: "a formula", cell: "=1+1", written: "'=1+1" },
  { name: "a plus", cell: "+1", written: "'+1" },
  { name: "a minus", cell: "-1", written: "'-1" },
  { name: "an at sign", cell: "@SUM(A1)", written: "'@SUM(A1)" },
  { name: "a tab", cell: "\t=1", written: "'\t=1" },
  { name: "a line break first", cell: "\r=1", written: '"\'\r=1"' },
  { name: "a formula with quotes", cell: '=A("b")', written: `"'=A(""b"")"` },
  { name: "a comma", cell: "a,b", written: '"a,b"' },
  { name: "a line break within", cell: "a\nb", written: '"a\nb"' },
  { name: "signs further on", cell: "a=b", written: "a=b" },
])("a cell with $name is text in a spreadsheet", ({ cell, written }) => {
  expect(csvLine(["x", cell])).toBe(`x,${written}\r\n`)
})
