/** A set of code points as sorted, disjoint, non-adjacent ranges: first, last, first, last, … */
export type CodePoints = readonly number[]

const lastCodePoint = 0x10ffff

export const everyCodePoint: CodePoints = [0, lastCodePoint]

/** The union of ranges given in any order as pairs. */
export function codePoints(ranges: ReadonlyArray<readonly [number, number]>): CodePoints {
  const merged: number[] = []
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const end = merged.at(-1)
    if (end !== undefined && first <= end + 1) merged[merged.length - 1] = Math.max(end, last)
    else merged.push(first, last)
  }
  return merged
}

export function complement(set: CodePoints): CodePoints {
  const gaps: number[] = []
  let next = 0
  for (let at = 0; at < set.length; at += 2) {
    const first = set[at] as number
    if (first > next) gaps.push(next, first - 1)
    next = (set[at + 1] as number) + 1
  }
  if (next <= lastCodePoint) gaps.push(next, lastCodePoint)
  return gaps
}

export function hasCodePoint(set: CodePoints, point: number): boolean {
  for (let at = 0; at < set.length && (set[at] as number) <= point; at += 2) {
    if (point <= (set[at + 1] as number)) return true
  }
  return false
}

/** Every member of `narrow` is in `wide`. */
export function codePointsCover(wide: CodePoints, narrow: CodePoints): boolean {
  let at = 0
  for (let range = 0; range < narrow.length; range += 2) {
    while (at < wide.length && (wide[at + 1] as number) < (narrow[range] as number)) at += 2
    if (at >= wide.length) return false
    if ((wide[at] as number) > (narrow[range] as number)) return false
    if ((wide[at + 1] as number) < (narrow[range + 1] as number)) return false
  }
  return true
}

export function codePointsMeet(a: CodePoints, b: CodePoints): boolean {
  let atA = 0
  let atB = 0
  while (atA < a.length && atB < b.length) {
    if ((a[atA + 1] as number) < (b[atB] as number)) atA += 2
    else if ((b[atB + 1] as number) < (a[atA] as number)) atB += 2
    else return true
  }
  return false
}
