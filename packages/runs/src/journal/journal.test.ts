import type { JournalLine } from "@byleave/core"
import { expect, it } from "vitest"
import { allLines } from "./journal.ts"

it.each([
  { name: "of few values are read at once", text: `["${"x".repeat(50_000)}"]`, turns: 0 },
  { name: "of much text leave turns to others", text: `["${"x".repeat(500_000)}"]`, turns: 2 },
  { name: "of many values leave turns to others", text: `[${"[],".repeat(16_000)}[]]`, turns: 4 },
])("lines $name", async ({ text, turns }) => {
  const lines = Array.from(
    { length: 10 },
    (_, at): JournalLine => ({ run: "r", seq: at + 1, name: "note", at: 1, text }),
  )
  const gate = { journal: async (_: string, after: number) => lines.filter(({ seq }) => seq > after) }
  let others = 0
  const other = (): void => {
    others += 1
    next = setImmediate(other)
  }
  let next = setImmediate(other)
  const seqs: number[] = []
  for await (const { seq } of allLines(gate, "r")) seqs.push(seq)
  clearImmediate(next)
  expect(seqs).toEqual(lines.map(({ seq }) => seq))
  expect(others).toBeGreaterThanOrEqual(turns)
  if (turns === 0) expect(others).toBe(0)
})
