import type { DiffLine } from "../card/changes/line-diff.ts"

/** A row of two texts side by side; null where the other side has more lines. */
export type SplitRow = { readonly left: DiffLine | null; readonly right: DiffLine | null }

/** Unchanged lines face themselves; lines that came face those that went, in their order. */
export function splitRows(lines: readonly DiffLine[]): readonly SplitRow[] {
  const rows: SplitRow[] = []
  let removed: DiffLine[] = []
  let added: DiffLine[] = []
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      rows.push({ left: removed[at] ?? null, right: added[at] ?? null })
    }
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === "same") {
      flush()
      rows.push({ left: line, right: line })
    } else if (line.kind === "added") added.push(line)
    else {
      // A removal after an addition begins another change.
      if (added.length > 0) flush()
      removed.push(line)
    }
  }
  flush()
  return rows
}
