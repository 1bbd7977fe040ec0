import type { Paint } from "../terminal/paint.ts"

/** Rows in columns as wide as they must be; the first, by which a row is named, stands out. */
export function table(rows: ReadonlyArray<readonly string[]>, paint: Paint): string {
  const widths: number[] = []
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  return rows
    .map((row) => {
      const cells = row.map((cell, at) => {
        const padded = at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)
        return at === 0 ? paint("cyan", padded) : padded
      })
      return `${cells.join("  ").trimEnd()}\n`
    })
    .join("")
}
