/** Words, blanks and single signs: together they are the text. */
const pieces = /[\p{L}\p{N}\p{M}_]+|\s+|./gsu
const word = /[\p{L}\p{N}_]/u

/** A part of a line, in UTF-16 code units. */
export type LineSpan = { readonly start: number; readonly end: number }

export type PairOfSpans = { readonly before: readonly LineSpan[]; readonly after: readonly LineSpan[] }

/** Lines with more words than this have everything marked from the first to the last difference. */
export const mostPieces = 200

/**
 * The words of two lines that have no counterpart in the other, within the spans in which they differ. Null where that would say no more than
 * the spans do: too many words, none in common, or one difference alone.
 */
export function wordSpans(before: string, after: string, old: LineSpan, young: LineSpan): PairOfSpans | null {
  if (Math.max(old.end - old.start, young.end - young.start) > mostPieces * 20) return null
  // To the ends of words, in both lines alike: what is left out at both ends is the same text.
  let left = 0
  while (isInside(before, old.start - left) || isInside(after, young.start - left)) left += 1
  let right = 0
  while (isInside(before, old.end + right) || isInside(after, young.end + right)) right += 1
  const oldWords = { start: old.start - left, end: old.end + right }
  const youngWords = { start: young.start - left, end: young.end + right }
  const one = piecesOf(before, oldWords)
  const other = piecesOf(after, youngWords)
  if (one.length > mostPieces || other.length > mostPieces) return null
  const pairs = commonPieces(one, other)
  if (!pairs.some(([at]) => word.test(one[at] ?? ""))) return null
  const spans = {
    before: spansBetween(one, new Set(pairs.map(([at]) => at)), oldWords.start),
    after: spansBetween(other, new Set(pairs.map(([, at]) => at)), youngWords.start),
  }
  return spans.before.length <= 1 && spans.after.length <= 1 ? null : spans
}

/** Whether a word, or a run of blanks, goes on across this place. */
function isInside(text: string, at: number): boolean {
  return (
    at > 0 &&
    at < text.length &&
    [word, /\s/].some((kind) => kind.test(text.charAt(at - 1)) && kind.test(text.charAt(at)))
  )
}

function piecesOf(text: string, { start, end }: LineSpan): readonly string[] {
  return text.slice(start, end).match(pieces) ?? []
}

/** The longest common subsequence, as pairs of places. */
function commonPieces(one: readonly string[], other: readonly string[]): ReadonlyArray<readonly [number, number]> {
  const width = other.length + 1
  const longest = new Uint16Array((one.length + 1) * width)
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    if (one[i] === other[j]) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return pairs
}

/** Spans that the two texts do not share; neighbours become one. */
function spansBetween(words: readonly string[], common: ReadonlySet<number>, start: number): readonly LineSpan[] {
  const spans: LineSpan[] = []
  let from = start
  words.forEach((each, at) => {
    const last = spans.at(-1)
    if (!common.has(at)) {
      if (last?.end === from) spans[spans.length - 1] = { start: last.start, end: from + each.length }
      else spans.push({ start: from, end: from + each.length })
    }
    from += each.length
  })
  return spans
}
