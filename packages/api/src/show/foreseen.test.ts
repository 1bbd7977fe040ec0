import type { JsonObject } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { fileChanges } from "./file-change.ts"
import { foreseen } from "./foreseen.ts"

describe("what a file would hold", () => {
  const edit = (edits: readonly JsonObject[], current: string) => {
    const [change] = fileChanges("edit", { path: "a", edits })
    return change === undefined ? null : foreseen(change, current)
  }

  it("makes edits one after the other, with signs of replacement patterns as plain text", () => {
    const edits = [
      { oldText: "one", newText: "$& two" },
      { oldText: "two", newText: "2" },
    ]
    expect(edit(edits, "one\n")).toEqual({ kind: "told", text: "$& 2\n", isDoubtful: false, isByOrder: true })
  })

  it("says when it cannot be told which place is meant", () => {
    expect(edit([{ oldText: "a", newText: "b" }], "a a")).toMatchObject({ text: "b a", isDoubtful: true })
    expect(edit([{ oldText: "a", newText: "$&!", replace_all: true }], "a a")).toMatchObject({
      text: "$&! $&!",
      isDoubtful: false,
    })
  })

  it.each([
    { name: "undo each other", edits: [["a", "b"] as const, ["b", "a"] as const], current: "a", isByOrder: true },
    {
      name: "use what another wrote",
      edits: [["a", "xb"] as const, ["b", "c"] as const],
      current: "a b",
      isByOrder: true,
    },
    { name: "overlap", edits: [["ab", "bc"] as const, ["bc", "d"] as const], current: "abc bc", isByOrder: true },
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
