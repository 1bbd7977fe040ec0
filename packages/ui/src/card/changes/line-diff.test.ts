import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { changedSpans, foldLines, lineDiff } from "./line-diff.ts"
import { type LineSpan, mostPieces } from "./word-spans.ts"

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`)

const partsOf = (text: string, spans: readonly LineSpan[] | undefined) =>
  spans?.map(({ start, end }) => text.slice(start, end))

describe("two texts against each other", () => {
  it("numbers lines in the text they stand in", () => {
    const { lines, added, removed } = lineDiff("a\nb\nc\n", "a\nB\nc\nd\n")
    expect(lines.map(({ kind, before, after, text }) => [kind, before, after, text])).toEqual([
      ["same", 1, 1, "a"],
      ["removed", 2, null, "b"],
      ["added", null, 2, "B"],
      ["same", 3, 3, "c"],
      ["added", null, 4, "d"],
    ])
    expect([added, removed]).toEqual([2, 1])
  })

  it("takes a missing line break at the end for a difference", () => {
    expect(lineDiff("a\n", "a").lines.map(({ kind, isOpen }) => [kind, isOpen])).toEqual([
      ["removed", false],
      ["added", true],
    ])
  })

  it("shows both texts whole where they have too little in common", () => {
    const old = numbered(2_000).join("")
    const { lines, isRough } = lineDiff(old, old.replaceAll("line", "row"))
    expect(isRough).toBe(true)
    expect(lines.filter(({ kind }) => kind === "removed")).toHaveLength(2_000)
    expect(lines.filter(({ kind }) => kind === "added")).toHaveLength(2_000)
  })

  it("loses no line of either text, whatever they are", () => {
    const text = fc.array(fc.constantFrom("a\n", "b\n", "\n", "a", "\r\n")).map((parts) => parts.join(""))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { lines } = lineDiff(before, after)
        const side = (other: string) =>
          lines
            .filter(({ kind }) => kind !== other)
            .map((line) => line.text + (line.isOpen ? "" : "\n"))
            .join("")
        expect([side("added"), side("removed")]).toEqual([before, after])
      }),
    )
  })

  it.each([
    ["const a = 1", "const a = 2", "1", "2"],
    ["say hello", "say  hello", "", " "],
    ["x 😀 y", "x 😁 y", "😀", "😁"],
  ])("marks what changed within a line: %j, %j", (before, after, old, young) => {
    const spans = changedSpans(before, after)
    expect(partsOf(before, spans?.before)).toEqual([old])
    expect(partsOf(after, spans?.after)).toEqual([young])
  })

  it.each([
    ["let port = 80 on host a", "let port = 443 on host b", ["80", "a"], ["443", "b"]],
    ["copy(from, to)", "copy(source, to, mode)", ["from"], ["source", ", mode"]],
    ["a = read(b, c)", "x = read(b, d)", ["a", "c"], ["x", "d"]],
    ["one  two three", "one two 3", ["  ", "three"], [" ", "3"]],
    ["hunter2 and salt3", "hunter3 and salt4", ["hunter2", "salt3"], ["hunter3", "salt4"]],
    ["ä = 😀 or ö", "ü = 😀 or é", ["ä", "ö"], ["ü", "é"]],
  ])("marks the differing words themselves: %j, %j", (before, after, old, young) => {
    const spans = changedSpans(before, after)
    expect(partsOf(before, spans?.before)).toEqual(old)
    expect(partsOf(after, spans?.after)).toEqual(young)
  })

  it("marks everything from the first to the last difference of a line with too many words", () => {
    const words = Array.from({ length: mostPieces }, (_, at) => `w${at}`)
    const line = (first: string, last: string) => `${"same ".repeat(300)}${first} ${words.join(" ")} ${last}`
    expect(changedSpans(line("a", "b"), line("c", "d"))?.before).toHaveLength(1)
  })

  it("leaves the same text unmarked on both sides", () => {
    const words = fc.array(fc.constantFrom("a", "b", "long", " ", "  ", ".", "😀"), { maxLength: 30 })
    const unmarked = (text: string, spans: readonly LineSpan[]) =>
      spans.toReversed().reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
    fc.assert(
      fc.property(words, words, (one, other) => {
        const [before, after] = [one.join(""), other.join("")]
        const spans = changedSpans(before, after)
        if (spans !== null) expect(unmarked(before, spans.before)).toBe(unmarked(after, spans.after))
      }),
    )
  })

  it("marks nothing within lines that have little in common", () => {
    expect(changedSpans("import x from y", "const z = 12345")).toBeNull()
  })
})

describe("folding", () => {
  it("keeps three lines around each change and folds the rest, losing none", () => {
    const old = numbered(40)
    const { lines } = lineDiff(old.join(""), old.with(19, "changed\n").join(""))
    const runs = foldLines(lines)
    expect(runs.map((run) => [run.isFolded, run.lines.length])).toEqual([
      [true, 16],
      [false, 8],
      [true, 17],
    ])
    expect(runs.flatMap((run) => run.lines)).toEqual(lines)
  })

  it("folds no run so short that the fold takes as much room", () => {
    const old = numbered(9)
    const { lines } = lineDiff(old.join(""), old.with(0, "x\n").with(8, "y\n").join(""))
    expect(foldLines(lines).some(({ isFolded }) => isFolded)).toBe(false)
  })
})
