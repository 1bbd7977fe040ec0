import type { JsonObject } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { fileChanges } from "./file-change.ts"
import { foreseen } from "./foreseen.ts"

describe("what a file would hold", () => {
  const edit = (edits: readonly JsonObject[], current: string) => {
    const [change] = fileChanges("edit", { path: "a", edits })
    if (change === undefined) throw new Error("These are edits.")
    return foreseen(change, current)
  }

  it("makes edits one after the other", () => {
    const edits = [
      { oldText: "one", newText: "1 two" },
      { oldText: "two", newText: "2" },
    ]
    expect(edit(edits, "one\n")).toEqual({
      ...{ kind: "told", text: "1 2\n", isByOrder: true, mayChangeLineEnds: false },
    })
  })

  it.each(["$$HOME", "a $& b", "a $` b", "echo $'x'"])(
    "I4: is not told where servers may read %s as something else",
    (newText) => {
      const byDollarSigns = { kind: "servers-differ", over: "dollar-signs" }
      expect(edit([{ oldText: "a", newText }], "a\n")).toEqual(byDollarSigns)
      expect(edit([{ oldText: "a", newText, replace_all: true }], "a a\n")).toEqual(byDollarSigns)
      const before = { oldText: "a", newText: "b" }
      expect(edit([before, { oldText: "b", newText }], "a\n")).toEqual(byDollarSigns)
      expect(
        edit(
          [
            { oldText: "a", newText },
            { oldText: "HOME.", newText: "b" },
          ],
          "a\n",
        ),
      ).toEqual(byDollarSigns)
      expect(edit([{ oldText: "x", newText }], "a\n")).toEqual({ kind: "not-there", edit: 1 })
    },
  )

  it.each(["$HOME", "$1", "$(id)", "5 $", "$<a>"])("I4: is told where %s is the same to every server", (newText) => {
    expect(edit([{ oldText: "a", newText }], "a\n")).toMatchObject({ kind: "told", text: `${newText}\n` })
  })

  it.each([
    { name: "occurs twice", before: "a", current: "a a" },
    {
      name: "is a whole line that another has at another depth",
      before: "    b: 1\n",
      current: "x:\n    b: 1\ny:\n  b: 1\n",
    },
    {
      name: "fits other lines but for blanks at their ends",
      before: "a:\n  b: 1",
      current: "a:\n  b: 1\n# note\n  a:\n    b: 1  \n",
    },
    { name: "fits inside a line, and another line as a whole", before: "  b", current: "a  b\nb\n" },
  ])("I2: is not told where a text to replace $name", ({ before, current }) => {
    expect(edit([{ oldText: before, newText: "c" }], current)).toEqual({ kind: "several-places", edit: 1 })
  })

  it("I2: a text replaced wherever it occurs may occur often, but fit nowhere else", () => {
    const everywhere = { oldText: "  a\n", newText: "!", replace_all: true }
    expect(edit([everywhere], "  a\n  a\n")).toMatchObject({ kind: "told", text: "!!" })
    expect(edit([everywhere], "  a\n  a\n a\n")).toEqual({ kind: "several-places", edit: 1 })
  })

  it.each([
    {
      name: "in the edit, which fits here exactly and there otherwise",
      before: "a:\r\n b",
      current: "a:\n b\n# a:\r\n b\r\n",
    },
    { name: "in the file, and the edit has others", before: "a\nb", current: "a\r\nb\r\n" },
    { name: "of the edit, which the file does not have", before: "a\r\nb", current: "a\nb\n" },
    { name: "of an old kind, by which other lines begin", before: "a\nb", current: "a\rb\r\na\nb" },
  ])("I1: is not told where it depends on line ends $name", ({ before, current }) => {
    expect(edit([{ oldText: before, newText: "c" }], current)).toEqual(
      expect.toBeOneOf([
        { kind: "servers-differ", over: "line-ends" },
        { kind: "several-places", edit: 1 },
      ]),
    )
  })

  it("I1: says that line ends may change where each reading of them comes to the same", () => {
    expect(edit([{ oldText: "b", newText: "c" }], "a\r\nb\r\n")).toEqual({
      ...{ kind: "told", text: "a\r\nc\r\n", isByOrder: false, mayChangeLineEnds: true },
    })
    expect(edit([{ oldText: "b", newText: "c\r\nd" }], "a\nb\n")).toMatchObject({ mayChangeLineEnds: true })
    expect(edit([{ oldText: "b", newText: "c" }], "a\nb\n")).toMatchObject({ mayChangeLineEnds: false })
  })

  it.each([
    { name: "undo each other", edits: [["a", "b"] as const, ["b", "a"] as const], current: "a", isByOrder: true },
    {
      name: "use what another wrote",
      edits: [["a", "xb"] as const, ["b", "c"] as const],
      current: "a",
      isByOrder: true,
    },
    { name: "overlap", edits: [["ab", "bc"] as const, ["bc", "d"] as const], current: "abc", isByOrder: true },
    {
      name: "stand apart, in any order",
      edits: [["b", "2"] as const, ["a", "1"] as const],
      current: "a b",
      isByOrder: false,
    },
  ])("says whether edits depend on their order: edits that $name", ({ edits, current, isByOrder }) => {
    const sent = edits.map(([oldText, newText]) => ({ oldText, newText }))
    expect(edit(sent, current)).toMatchObject({ kind: "told", isByOrder })
  })

  it("names the edit whose text does not stand there", () => {
    const edits = [
      { oldText: "a", newText: "b" },
      { oldText: "a", newText: "c" },
    ]
    expect(edit(edits, "a")).toEqual({ kind: "not-there", edit: 2 })
    expect(edit([{ oldText: "", newText: "b" }], "a")).toEqual({ kind: "not-there", edit: 1 })
  })

  it.each([
    { name: "double each other", count: 40, oldText: "a", newText: "aa", current: "a" },
    {
      name: "are thousands in a large file",
      count: 16_000,
      oldText: "END",
      newText: "END",
      current: `${"x\n".repeat(400_000)}END`,
    },
  ])("is not told where the edits $name", ({ count, oldText, newText, current }) => {
    const edits = Array.from({ length: count }, () => ({ oldText, newText, replace_all: true }))
    expect(edit(edits, current)).toEqual({ kind: "too-much" })
  })
})
