import { diffArrays } from "diff"
import { type LineSpan, type PairOfSpans, wordSpans } from "./word-spans.ts"

/** A line of a comparison, numbered from 1 in each text it stands in. */
export type DiffLine = {
  readonly kind: "same" | "added" | "removed"
  readonly before: number | null
  readonly after: number | null
  readonly text: string
  /** The text ends here, without a line break. */
  readonly isOpen: boolean
  /** The parts that are not in its counterpart, from left to right; null where there is none to compare with. */
  readonly changed: readonly LineSpan[] | null
}

export type LineDiff = {
  readonly lines: readonly DiffLine[]
  readonly added: number
  readonly removed: number
  /** They differ too much to be set against each other: the whole old text, then the whole new one. */
  readonly isRough: boolean
}

/** Beyond it a comparison takes longer than anybody waits, and says no more than both texts would. */
const mostEdits = 1_200

export function lineDiff(before: string, after: string): LineDiff {
  const old = linesOf(before)
  const young = linesOf(after)
  const changes = diffArrays(old, young, { maxEditLength: mostEdits })
  const runs = changes ?? [
    { added: false, removed: true, value: old },
    { added: true, removed: false, value: young },
  ]
  const lines = withSpans(numbered(runs))
  return { lines, added: countOf(lines, "added"), removed: countOf(lines, "removed"), isRough: changes === undefined }
}

/** Of a text with more lines than anybody reads, the rest is one line. */
const mostLines = 50_000

/** Each with its line break, so that a missing one at the end is a difference. */
function linesOf(text: string): string[] {
  const lines: string[] = []
  let from = 0
  while (from < text.length) {
    const end = lines.length + 1 < mostLines ? text.indexOf("\n", from) : -1
    const next = end < 0 ? text.length : end + 1
    lines.push(text.slice(from, next))
    from = next
  }
  return lines
}

type Run = { readonly added: boolean; readonly removed: boolean; readonly value: readonly string[] }

function numbered(runs: readonly Run[]): readonly DiffLine[] {
  const lines: DiffLine[] = []
  let before = 0
  let after = 0
  for (const run of runs) {
    const kind = run.added ? "added" : run.removed ? "removed" : "same"
    for (const line of run.value) {
      if (kind !== "added") before += 1
      if (kind !== "removed") after += 1
      lines.push({
        kind,
        before: kind === "added" ? null : before,
        after: kind === "removed" ? null : after,
        text: line.endsWith("\n") ? line.slice(0, -1) : line,
        isOpen: !line.endsWith("\n"),
        changed: null,
      })
    }
  }
  return lines
}

function countOf(lines: readonly DiffLine[], kind: DiffLine["kind"]): number {
  return lines.filter((line) => line.kind === kind).length
}

/** Where as many lines came as went, each is compared with its counterpart. */
function withSpans(lines: readonly DiffLine[]): readonly DiffLine[] {
  const marked = [...lines]
  let pairs = 0
  for (let at = 0; at < lines.length; ) {
    const removed = runLength(lines, at, "removed")
    const added = runLength(lines, at + removed, "added")
    if (removed > 0 && removed === added) {
      markPairs(marked, at, removed, pairs < mostByWords)
      pairs += removed
    }
    at += Math.max(1, removed + added)
  }
  return marked
}

function runLength(lines: readonly DiffLine[], from: number, kind: DiffLine["kind"]): number {
  let length = 0
  while (lines[from + length]?.kind === kind) length += 1
  return length
}

/** Of more changed lines than anybody reads, the rest is marked from the first to the last difference. */
const mostByWords = 500

function markPairs(lines: DiffLine[], from: number, count: number, isByWords: boolean): void {
  for (let at = from; at < from + count; at += 1) {
    const old = lines[at]
    const young = lines[at + count]
    if (old === undefined || young === undefined) return
    const spans = changedSpans(old.text, young.text, isByWords && at - from < mostByWords)
    if (spans === null) continue
    lines[at] = { ...old, changed: spans.before }
    lines[at + count] = { ...young, changed: spans.after }
  }
}

/**
 * The words in which two lines differ, or what lies between their common beginning and their common end; null where they share too little to
 * compare.
 */
export function changedSpans(before: string, after: string, isByWords = true): PairOfSpans | null {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  if (isLowSurrogate(before, start) || isLowSurrogate(after, start)) start -= 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  if (isLowSurrogate(before, before.length - end) || isLowSurrogate(after, after.length - end)) end -= 1
  const old = { start, end: before.length - end }
  const young = { start, end: after.length - end }
  const isAlike = (start + end) * 3 >= shorter
  const words = isByWords ? wordSpans(before, after, old, young) : null
  if (words !== null && (isAlike || markedIn(words) * 3 <= (before.length + after.length) * 2)) return words
  return isAlike ? { before: [old], after: [young] } : null
}

function markedIn({ before, after }: PairOfSpans): number {
  return [...before, ...after].reduce((sum, { start, end }) => sum + end - start, 0)
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}

export type DiffRun = { readonly isFolded: boolean; readonly lines: readonly DiffLine[] }

/** Long runs of unchanged lines are folded, save those that stand next to a change or to a line that `isKept`. */
export function foldLines(
  lines: readonly DiffLine[],
  around = 3,
  isKept: (line: DiffLine) => boolean = () => false,
): readonly DiffRun[] {
  const near = nearChange(lines, around, isKept)
  const runs: DiffLine[][] = []
  let isFolded: boolean | null = null
  const kinds: boolean[] = []
  lines.forEach((line, at) => {
    const folds = near[at] !== true
    if (folds !== isFolded) {
      runs.push([])
      kinds.push(folds)
      isFolded = folds
    }
    runs.at(-1)?.push(line)
  })
  // A fold of a line or two takes as much room as the lines.
  return runs.map((run, at) => ({ isFolded: kinds[at] === true && run.length > 2, lines: run }))
}

function nearChange(
  lines: readonly DiffLine[],
  around: number,
  isKept: (line: DiffLine) => boolean,
): readonly boolean[] {
  const near = new Array<boolean>(lines.length).fill(false)
  lines.forEach((line, at) => {
    if (line.kind === "same" && !isKept(line)) return
    near.fill(true, Math.max(0, at - around), at + around + 1)
  })
  return near
}
