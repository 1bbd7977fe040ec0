import { type CodePoints, codePoints, complement, everyCodePoint } from "./code-points.ts"

/** One step of a glob: any text at all, or one code point out of a set. */
export type GlobToken = "star" | CodePoints

/** A glob as tokens: never two stars in a row, and a run of stars and single wildcards has its star last (`*?` is `?*`). */
export function globTokens(pattern: string): readonly GlobToken[] {
  const points = Array.from(pattern)
  const tokens: GlobToken[] = []
  // After one bracket that nothing closes, none is closed: looking again each time would be quadratic.
  let closable = true
  let at = 0
  while (at < points.length) {
    const point = points[at] as string
    if (point === "*") {
      if (tokens.at(-1) !== "star") tokens.push("star")
      at += 1
      continue
    }
    const close = closable && point === "[" ? closingBracket(points, at) : -1
    if (point === "[" && close < 0) closable = false
    const token = close < 0 ? singleOf(point) : bracketSet(points.slice(at + 1, close))
    pushSingle(tokens, token)
    at = close < 0 ? at + 1 : close + 1
  }
  return tokens
}

/** Where the `]` of the `[` at `open` stands; -1 when there is none, and the `[` is an ordinary character. */
export function closingBracket(points: ArrayLike<string>, open: number): number {
  let at = open + 1
  if (points[at] === "!") at += 1
  // A `]` in first place is a member, not the end.
  if (points[at] === "]") at += 1
  while (at < points.length && points[at] !== "]") at += 1
  return at < points.length ? at : -1
}

function pushSingle(tokens: GlobToken[], token: CodePoints): void {
  const isAny = token[0] === 0 && token[1] === everyCodePoint[1]
  if (isAny && tokens.at(-1) === "star") tokens.splice(-1, 0, everyCodePoint)
  else tokens.push(isAny ? everyCodePoint : token)
}

function singleOf(point: string): CodePoints {
  if (point === "?") return everyCodePoint
  const code = codeOf(point)
  return [code, code]
}

/**
 * The set between brackets, as Python's fnmatch reads it: a hyphen makes a range of its neighbours unless it stands first or
 * last or right after a range; a reversed range loses both ends; and what `!` negates is looked for only after that.
 */
function bracketSet(members: readonly string[]): CodePoints {
  const chunks = dropReversedRanges(chunksBetweenHyphens(members))
  const first = chunks[0] as string[]
  const negated = first[0] === "!"
  if (negated) first.shift()
  const ranges: Array<[number, number]> = []
  chunks.forEach((chunk, index) => {
    for (const point of chunk) ranges.push([codeOf(point), codeOf(point)])
    const next = chunks[index + 1]
    if (next === undefined) return
    // With nothing left before it, the hyphen stands first and is itself a member.
    const start = chunk.at(-1) ?? "-"
    const end = chunk.length === 0 ? "-" : (next[0] as string)
    ranges.push([codeOf(start), codeOf(end)])
  })
  const set = codePoints(ranges)
  return negated ? complement(set) : set
}

function chunksBetweenHyphens(members: readonly string[]): string[][] {
  const chunks: string[][] = []
  let start = 0
  let from = members[0] === "!" ? 2 : 1
  for (let hyphen = members.indexOf("-", from); hyphen >= 0; hyphen = members.indexOf("-", from)) {
    chunks.push(members.slice(start, hyphen))
    start = hyphen + 1
    from = hyphen + 3
  }
  const last = chunks.at(-1)
  if (start < members.length || last === undefined) chunks.push(members.slice(start))
  else last.push("-")
  return chunks
}

function dropReversedRanges(chunks: string[][]): string[][] {
  for (let at = chunks.length - 1; at > 0; at -= 1) {
    const before = chunks[at - 1] as string[]
    const after = chunks[at] as string[]
    if (codeOf(before.at(-1) as string) <= codeOf(after[0] as string)) continue
    chunks.splice(at - 1, 2, [...before.slice(0, -1), ...after.slice(1)])
  }
  return chunks
}

function codeOf(point: string): number {
  return point.codePointAt(0) as number
}
