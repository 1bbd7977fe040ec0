import type { CurrentContentView, FileChange } from "@byleave/api"
import { foreseen } from "@byleave/api/page"
import { lineDiff } from "../card/changes/line-diff.ts"
import { patchLines } from "../card/changes/patch-lines.ts"

export type ChangeCounts = { readonly added: number; readonly removed: number }

/** How many lines a change adds and removes; null where nobody knows what the file holds now. */
export function changeCounts(change: FileChange, current: CurrentContentView | null): ChangeCounts | null {
  if (change.how === "patch") return counted(patchLines(change.edits[0]?.after ?? ""))
  if (current?.kind === "text") {
    const after = foreseen(change, current.text)
    if (after.kind === "told") return lineDiff(current.text, after.text)
  }
  if (change.how === "write" && current?.kind !== "absent") return null
  const edits = change.edits.map(({ before, after }) => lineDiff(before ?? "", after))
  return { added: sum(edits.map(({ added }) => added)), removed: sum(edits.map(({ removed }) => removed)) }
}

function counted(lines: ReturnType<typeof patchLines>): ChangeCounts {
  return {
    added: lines.filter(({ kind }) => kind === "added").length,
    removed: lines.filter(({ kind }) => kind === "removed").length,
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}
