import type { PinView } from "@byleave/api"
import { expect, it } from "vitest"
import { createPaint } from "../terminal/paint.ts"
import { definitionLines } from "./definition-lines.ts"

const lines = 300_000

function changed(after: string): PinView {
  return {
    server: "bad",
    tool: "send",
    of: "tool",
    state: "changed",
    flags: [],
    accepted: { whole: {}, at: 0 },
    proposed: { whole: {}, at: 0 },
    differences: [{ path: "description", before: "Sends.", after }],
  } as unknown as PinView
}

it.each([
  { name: "as they are", columns: undefined },
  { name: "in rows of a terminal", columns: 80 },
])("shows a definition of very many lines to its end, $name", ({ columns }) => {
  const text = definitionLines(
    changed(`${"x\n".repeat(lines)}the end`),
    createPaint({ isTerminal: false, write: () => {} }, new Map()),
    columns,
  )
  expect(text.split("\n").length).toBeGreaterThan(lines)
  expect(text.trimEnd().endsWith("the end")).toBe(true)
})
