import type { Io } from "../io.ts"
import { createPaint } from "../terminal/paint.ts"
import { inRow } from "./in-row.ts"

/** Rows for standard output, in columns as wide as they must be; the first, by which a row is named, stands out. */
export function table(rows: ReadonlyArray<readonly string[]>, io: Pick<Io, "stdout" | "env">): string {
  const paint = createPaint(io.stdout, io.env)
  const widths: number[] = []
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  return rows
    .map((row) => {
      const cells = row.map((cell, at) => {
        const padded = at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)
        return at === 0 ? paint("cyan", padded) : padded
      })
      return `${inRow(cells.join("  ").trimEnd(), io.stdout)}\n`
    })
    .join("")
}
