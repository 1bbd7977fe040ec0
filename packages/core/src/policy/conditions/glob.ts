/**
 * Globs with the meaning of Python's `fnmatch.fnmatchcase`: `*`, `?`, `[seq]`, `[!seq]`; the whole name; case-sensitive;
 * nothing special about `/`, `.` or a backslash; characters are code points.
 *
 * I1. A match looks at no more than (tokens × code points) places, whatever the pattern, and where nothing but stars stands between literal texts, at
 *     hardly more than there are code points. Wherever patterns come in, `globProblem` bounds them, so that the time is linear in the text.
 * I2. `globCovers` is true only if every text the narrow pattern matches is matched by the wide one.
 * I3. `globsDisjoint` is true only if no text matches both.
 * I4. An escaped literal matches that text and no other.
 */
import { codePointsCover, codePointsMeet, hasCodePoint } from "./code-points.ts"
import { compileLiteral } from "./find-literal.ts"
import { type GlobToken, globTokens } from "./glob-tokens.ts"
import { type JudgingWork, keptForLists, tookWork } from "./judging-work.ts"

export function compileGlob(pattern: string): (text: string) => boolean {
  const tokens = globTokens(pattern)
  return fastMatcher(tokens) ?? ((text) => matches(tokens, text, endless) === true)
}

/** `keep`: as of `tookWork`. `paid`: so many looks at the text are paid for already. */
export type Payment = { readonly keep: number; readonly paid: number }

/** The same for texts whose characters are paid for. Null: there was no work left for all that had to be looked at more than once. */
export function compilePaidGlob(
  pattern: string,
): (text: string, work: JudgingWork, payment: Payment) => boolean | null {
  const tokens = globTokens(pattern)
  return fastMatcher(tokens) ?? ((text, work, payment) => matches(tokens, text, work, payment))
}

/** The same for texts that may be long. Null: there was no work left to match it to its end. */
export function compileLongGlob(pattern: string): (text: string, work: JudgingWork) => boolean | null {
  const tokens = globTokens(pattern)
  const fast = fastMatcher(tokens)
  if (fast !== null) return (text, work) => (tookWork(work, text.length, keptForLists) ? fast(text) : null)
  return (text, work) => matches(tokens, text, work, { keep: keptForLists, paid: 0 })
}

/** Longer than anything people write by hand; a literal may be longer, since it is only compared. */
const longestGlob = 1_000

/** Why a pattern is not to be matched with; null when nothing speaks against it. */
export function globProblem(pattern: string): string | null {
  if (pattern.length <= longestGlob || isLiteralGlob(pattern)) return null
  return `it has ${pattern.length} characters, and a pattern may have ${longestGlob}; split it into several`
}

/** The glob that matches this text and no other. */
export function escapeGlob(literal: string): string {
  return literal.replace(/[*?[]/g, "[$&]")
}

/** True when the pattern can match only one text. */
export function isLiteralGlob(pattern: string): boolean {
  return literalOf(pattern) !== null
}

/** The one text the pattern can match; null when there may be more, or none. */
export function literalOf(pattern: string): string | null {
  return literalText(globTokens(pattern))
}

/** Every text that `narrow` matches is matched by `wide`. Sound, not complete: false may also mean "cannot tell". */
export function globCovers(wide: string, narrow: string): boolean {
  const cover = globTokens(wide)
  const covered = globTokens(narrow)
  if (matchesNothing(covered)) return true
  let atCover = 0
  let at = 0
  let star = -1
  let resume = 0
  while (at < covered.length) {
    const token = cover[atCover]
    if (token === "star") {
      star = atCover
      resume = at
      atCover += 1
    } else if (token !== undefined && coversOne(token, covered[at] as GlobToken)) {
      atCover += 1
      at += 1
    } else if (star >= 0) {
      atCover = star + 1
      resume += 1
      at = resume
    } else return false
  }
  return onlyStars(cover, atCover)
}

/** No text matches both. */
export function globsDisjoint(a: string, b: string): boolean {
  const left = globTokens(a)
  const right = globTokens(b)
  if (matchesNothing(left) || matchesNothing(right)) return true
  // below[j]: the rest of `left` after this token and the rest of `right` from j have a text in common.
  let below = right.map((_, j) => onlyStars(right, j))
  below.push(true)
  for (const token of left.toReversed()) {
    const row: boolean[] = new Array(right.length + 1)
    row[right.length] = token === "star" && below[right.length] === true
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const other = right[j] as GlobToken
      // A star takes in whatever the other side has next, or ends.
      if (token === "star" || other === "star") row[j] = below[j] === true || row[j + 1] === true
      else row[j] = below[j + 1] === true && codePointsMeet(token, other)
    }
    below = row
  }
  return below[0] !== true
}

function coversOne(cover: GlobToken, token: GlobToken): boolean {
  return cover !== "star" && token !== "star" && codePointsCover(cover, token)
}

function matchesNothing(tokens: readonly GlobToken[]): boolean {
  return tokens.some((token) => token.length === 0)
}

function onlyStars(tokens: readonly GlobToken[], from: number): boolean {
  for (let at = from; at < tokens.length; at += 1) if (tokens[at] !== "star") return false
  return true
}

/** Text of tokens that are single code points; null when one is not, or when half a surrogate pair could join another. */
function literalText(tokens: readonly GlobToken[]): string | null {
  let text = ""
  for (const token of tokens) {
    if (token === "star" || token.length !== 2 || token[0] !== token[1]) return null
    text += String.fromCodePoint(token[0] as number)
  }
  return /\p{Surrogate}/u.test(text) || Array.from(text).length !== tokens.length ? null : text
}

function fastMatcher(tokens: readonly GlobToken[]): ((text: string) => boolean) | null {
  const starFirst = tokens[0] === "star"
  const starLast = tokens.length > 1 && tokens.at(-1) === "star"
  const literal = literalText(tokens.slice(starFirst ? 1 : 0, starLast ? -1 : tokens.length))
  if (literal === null) return segmentMatcher(tokens)
  if (starFirst && literal === "") return () => true
  if (starFirst && starLast) {
    const find = compileLiteral(literal)
    return (text) => find(text, 0) >= 0
  }
  if (starFirst) return (text) => text.endsWith(literal)
  if (starLast) return (text) => text.startsWith(literal)
  return (text) => text === literal
}

/** Of literal texts with stars between them: each is looked for behind the one before. */
function segmentMatcher(tokens: readonly GlobToken[]): ((text: string) => boolean) | null {
  const segments: GlobToken[][] = [[]]
  for (const token of tokens) {
    if (token === "star") segments.push([])
    else segments.at(-1)?.push(token)
  }
  const texts = segments.map(literalText)
  if (texts.some((text) => text === null)) return null
  const [first = "", ...inner] = texts.map((text) => text ?? "")
  const last = inner.pop() ?? ""
  const between = inner.map((literal) => ({ find: compileLiteral(literal), length: literal.length }))
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last)) return false
    let at = first.length
    for (const { find, length } of between) {
      const found = find(text, at)
      if (found < 0) return false
      at = found + length
    }
    return at <= text.length - last.length
  }
}

const endless: JudgingWork = { workLeft: Number.POSITIVE_INFINITY }

/** On a mismatch only the latest star takes one more code point: earlier ones need never be tried again. Null: there is no work left for it. */
function matches(
  tokens: readonly GlobToken[],
  text: string,
  work: JudgingWork,
  { keep, paid }: Payment = { keep: 0, paid: 0 },
): boolean | null {
  let left = Math.max(0, work.workLeft - keep) + paid
  let answer: boolean | null | undefined
  let token = 0
  let at = 0
  let star = -1
  let resume = 0
  while (at < text.length) {
    if (left === 0) {
      answer = null
      break
    }
    left -= 1
    const point = text.codePointAt(at) as number
    const wanted = tokens[token]
    if (wanted === "star") {
      star = token
      resume = at
      token += 1
    } else if (wanted !== undefined && hasCodePoint(wanted, point)) {
      token += 1
      at += point > 0xffff ? 2 : 1
    } else if (star >= 0) {
      token = star + 1
      resume += (text.codePointAt(resume) as number) > 0xffff ? 2 : 1
      at = resume
    } else {
      answer = false
      break
    }
  }
  work.workLeft = Math.min(work.workLeft, keep + left)
  return answer === undefined ? onlyStars(tokens, token) : answer
}
