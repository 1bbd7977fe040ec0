import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { diffLines, withoutSame } from "./text-diff.ts"

const texts = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((lines) => lines.join("\n"))

describe("what differs between two texts", () => {
  it("gives both texts back, whatever they are", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = diffLines(before, after)
        expect(
          lines
            .filter(({ kind }) => kind !== "added")
            .map(({ text }) => text)
            .join("\n"),
        ).toBe(before)
        expect(
          lines
            .filter(({ kind }) => kind !== "removed")
            .map(({ text }) => text)
            .join("\n"),
        ).toBe(after)
      }),
    )
  })

  it("marks only the line that changed, with its number", () => {
    expect(diffLines("a\nb\nc", "a\nx\nc").filter(({ kind }) => kind !== "same")).toEqual([
      { kind: "removed", text: "b", before: 2, after: null },
      { kind: "added", text: "x", before: null, after: 2 },
    ])
  })

  it("tells how many equal lines it leaves out", () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n")
    const parts = withoutSame(diffLines(before, `${before}\nmore`), 2)
    expect(parts.map((part) => (part.kind === "skipped" ? part.count : part.kind))).toEqual([
      18,
      "same",
      "same",
      "added",
    ])
  })
})
