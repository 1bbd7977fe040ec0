import { describe, expect, it } from "vitest"
import { lineDiff } from "../card/changes/line-diff.ts"
import { changeStarts, nextPlace } from "./change-places.ts"
import { splitRows } from "./split-rows.ts"

const before = "a\nb\nc\nd\ne\n"
const after = "a\nB\nc\nd\ne\nf\ng\n"

describe("changeStarts", () => {
  it("is the first line of each run of changes", () => {
    const { lines } = lineDiff(before, after)
    const starts = changeStarts(lines)
    expect(lines.filter((line) => starts.has(line)).map(({ text, kind }) => `${kind} ${text}`)).toEqual([
      "removed b",
      "added f",
    ])
  })

  it("is the first line of a new file, and none where nothing changed", () => {
    expect([...changeStarts(lineDiff("", "x\ny\n").lines)].map(({ text }) => text)).toEqual(["x"])
    expect(changeStarts(lineDiff("x\n", "x\n").lines).size).toBe(0)
  })
})

it.each([
  { name: "begins with the first", at: null, step: 1 as const, next: 0 },
  { name: "begins with the last when going back", at: null, step: -1 as const, next: 2 },
  { name: "goes on", at: 0, step: 1 as const, next: 1 },
  { name: "goes back", at: 1, step: -1 as const, next: 0 },
  { name: "stops at the last", at: 2, step: 1 as const, next: null },
  { name: "stops at the first", at: 0, step: -1 as const, next: null },
])("nextPlace $name", ({ at, step, next }) => {
  expect(nextPlace(3, at, step)).toBe(next)
  expect(nextPlace(0, at, step)).toBeNull()
})

describe("splitRows", () => {
  it("sets what came beside what went, and leaves gaps where one side has more", () => {
    const rows = splitRows(lineDiff("a\nb\nc\n", "a\nB\nBB\nc\n").lines)
    expect(rows.map(({ left, right }) => [left?.text ?? null, right?.text ?? null])).toEqual([
      ["a", "a"],
      ["b", "B"],
      [null, "BB"],
      ["c", "c"],
    ])
  })

  it("holds every line once on each side it stands in", () => {
    const { lines } = lineDiff(before, after)
    const rows = splitRows(lines)
    expect(rows.flatMap(({ left }) => left?.before ?? [])).toEqual([1, 2, 3, 4, 5])
    expect(rows.flatMap(({ right }) => right?.after ?? [])).toEqual([1, 2, 3, 4, 5, 6, 7])
  })
})
