/**
 * Where a literal text stands in another one.
 *
 * I1. It takes time linear in the other text, whatever both are.
 */

/** V8 looks for the last 250 characters of what it is to find, and compares the others anew at each place where it finds those. */
const longestLinear = 250

/** From a place on; -1: nowhere behind it. */
export type FindLiteral = (text: string, from: number) => number

export function compileLiteral(literal: string): FindLiteral {
  if (literal.length <= longestLinear) return (text, from) => text.indexOf(literal, from)
  const resume = resumptions(literal)
  return (text, from) => {
    let matched = 0
    for (let at = from; at < text.length; at += 1) {
      matched = matchedWith(literal, resume, matched, text.charCodeAt(at))
      if (matched === literal.length) return at + 1 - matched
    }
    return -1
  }
}

/** For each number of characters that match: how many of them match still where the next one does not (Knuth, Morris and Pratt). */
function resumptions(literal: string): readonly number[] {
  const resume = [0, 0]
  for (let at = 1; at < literal.length; at += 1) {
    resume.push(matchedWith(literal, resume, resume[at] ?? 0, literal.charCodeAt(at)))
  }
  return resume
}

function matchedWith(literal: string, resume: readonly number[], before: number, next: number): number {
  let matched = before
  while (matched > 0 && literal.charCodeAt(matched) !== next) matched = resume[matched] ?? 0
  return literal.charCodeAt(matched) === next ? matched + 1 : 0
}
