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
    expect(edit(edits, "one\n")).toEqual({ kind: "told", text: "$& 2\n", isDoubtful: false })
  })

  it("says when it cannot be told which place is meant", () => {
    expect(edit([{ oldText: "a", newText: "b" }], "a a")).toEqual({ kind: "told", text: "b a", isDoubtful: true })
    expect(edit([{ oldText: "a", newText: "$&!", replace_all: true }], "a a")).toEqual({
      kind: "told",
      text: "$&! $&!",
      isDoubtful: false,
    })
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
