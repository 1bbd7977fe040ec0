/** What differs between two texts, line by line. */

type DiffLine = {
  readonly kind: "same" | "added" | "removed"
  readonly text: string
  /** Where it stands before and after; null where it does not. */
  readonly before: number | null
  readonly after: number | null
}

/** Lines in common keep their order; the longest such run of lines is found, unless the texts are too large for that. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const old = before.split("\n")
  const now = after.split("\n")
  const head = commonHead(old, now)
  const tail = commonTail(old, now, head)
  const middle = diffMiddle(old.slice(head, old.length - tail), now.slice(head, now.length - tail))
  const same = (lines: readonly string[]): readonly Edit[] => lines.map((text) => ({ kind: "same", text }))
  return numbered([...same(old.slice(0, head)), ...middle, ...same(old.slice(old.length - tail))])
}

type Edit = Pick<DiffLine, "kind" | "text">

function commonHead(old: readonly string[], now: readonly string[]): number {
  const most = Math.min(old.length, now.length)
  let head = 0
  while (head < most && old[head] === now[head]) head += 1
  return head
}

function commonTail(old: readonly string[], now: readonly string[], head: number): number {
  const most = Math.min(old.length, now.length) - head
  let tail = 0
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1
  return tail
}

/** Beyond this many pairs of lines the whole middle is shown as replaced. */
const mostPairs = 4_000_000

function diffMiddle(old: readonly string[], now: readonly string[]): readonly Edit[] {
  if (old.length * now.length > mostPairs) return [...edits("removed", old), ...edits("added", now)]
  const width = now.length + 1
  const longest = longestCommon(old, now, width)
  const found: Edit[] = []
  let a = 0
  let b = 0
  while (a < old.length && b < now.length) {
    if (old[a] === now[b]) {
      found.push({ kind: "same", text: old[a] as string })
      a += 1
      b += 1
    } else if ((longest[(a + 1) * width + b] as number) >= (longest[a * width + b + 1] as number)) {
      found.push({ kind: "removed", text: old[a] as string })
      a += 1
    } else {
      found.push({ kind: "added", text: now[b] as string })
      b += 1
    }
  }
  return [...found, ...edits("removed", old.slice(a)), ...edits("added", now.slice(b))]
}

/** For each pair of places, how many lines the rests have in common at most. */
function longestCommon(old: readonly string[], now: readonly string[], width: number): Uint32Array {
  const longest = new Uint32Array((old.length + 1) * width)
  for (let a = old.length - 1; a >= 0; a -= 1) {
    for (let b = now.length - 1; b >= 0; b -= 1) {
      longest[a * width + b] =
        old[a] === now[b]
          ? (longest[(a + 1) * width + b + 1] as number) + 1
          : Math.max(longest[(a + 1) * width + b] as number, longest[a * width + b + 1] as number)
    }
  }
  return longest
}

function edits(kind: Edit["kind"], lines: readonly string[]): readonly Edit[] {
  return lines.map((text) => ({ kind, text }))
}

function numbered(found: readonly Edit[]): readonly DiffLine[] {
  let before = 0
  let after = 0
  return found.map(({ kind, text }) => {
    if (kind !== "added") before += 1
    if (kind !== "removed") after += 1
    return { kind, text, before: kind === "added" ? null : before, after: kind === "removed" ? null : after }
  })
}

export type DiffPart = DiffLine | { readonly kind: "skipped"; readonly count: number; readonly after: number }

/** The changed lines with some around them; the rest is told by its number. */
export function withoutSame(lines: readonly DiffLine[], around = 3): readonly DiffPart[] {
  const isNear = lines.map(() => false)
  lines.forEach(({ kind }, at) => {
    if (kind === "same") return
    isNear.fill(true, Math.max(0, at - around), Math.min(lines.length, at + around + 1))
  })
  const parts: DiffPart[] = []
  let skipped = 0
  lines.forEach((line, at) => {
    if (isNear[at] !== true) {
      skipped += 1
      return
    }
    if (skipped > 0) parts.push({ kind: "skipped", count: skipped, after: at })
    skipped = 0
    parts.push(line)
  })
  if (skipped > 0) parts.push({ kind: "skipped", count: skipped, after: lines.length })
  return parts
}
