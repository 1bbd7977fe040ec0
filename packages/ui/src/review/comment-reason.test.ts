import fc from "fast-check"
import { expect, it } from "vitest"
import { type FileComment, reasonOf } from "./comment-reason.ts"

const on = (line: number | null, text: string, rest: Partial<FileComment> = {}): FileComment => ({
  path: "notes.txt",
  line,
  isRemoved: false,
  quote: "the line",
  text,
  ...rest,
})

it.each([
  { name: "a line", note: "", comments: [on(12, "Keep it.")], reason: "notes.txt line 12: Keep it." },
  {
    name: "a line that goes",
    note: "",
    comments: [on(3, "Still needed.", { isRemoved: true })],
    reason: "notes.txt line 3 (removed): Still needed.",
  },
  { name: "a line without a number", note: "", comments: [on(null, "Why?")], reason: 'notes.txt "the line": Why?' },
  {
    name: "several, file by file and line by line, after the note",
    note: " Please split this. ",
    comments: [on(9, "b"), on(1, "c", { path: "z.txt" }), on(2, "a")],
    reason: "Please split this.\nnotes.txt line 2: a\nnotes.txt line 9: b\nz.txt line 1: c",
  },
  { name: "nothing", note: "  ", comments: [], reason: "" },
])("reasonOf tells $name", ({ note, comments, reason }) => {
  expect(reasonOf([note], comments)).toBe(reason)
})

it("is never longer than a reason may be, and counts what it leaves out", () => {
  const long = Array.from({ length: 10 }, (_, at) => on(at + 1, "x".repeat(300)))
  const reason = reasonOf([], long)
  expect(reason.length).toBeLessThanOrEqual(2_000)
  expect(reason).toMatch(/notes\.txt line 1: x+\n/)
  expect(reason).toMatch(/\(\d more comments did not fit\.\)$/)
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "binary", maxLength: 90 }), { maxLength: 12 }),
      fc.integer({ min: 60, max: 400 }),
      (texts, most) => {
        const told = reasonOf(
          [],
          texts.map((text, at) => on(at, text)),
          most,
        )
        expect(told.length).toBeLessThanOrEqual(most)
        expect(told.isWellFormed()).toBe(true)
      },
    ),
  )
})
