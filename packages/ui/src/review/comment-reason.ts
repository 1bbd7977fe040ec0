import type { LineComment } from "../diff/diff-context.ts"
import { longestReason } from "../verdict/deny/longest-reason.ts"

export type FileComment = LineComment & { readonly path: string }

const longestQuote = 60

/** One reason of the notes and all comments, as the agent reads it: `notes.txt line 12: …`. Never longer than a reason may be. */
export function reasonOf(
  notes: readonly string[],
  comments: readonly FileComment[],
  most: number = longestReason,
): string {
  const said = notes.map((note) => note.trim()).filter((note) => note !== "")
  const entries = [...said, ...inOrder(comments).map(entryOf)]
  const kept: string[] = []
  for (const [at, entry] of entries.entries()) {
    const rest = entries.length - at - 1
    const room = most - lengthOf(kept) - (rest === 0 ? 0 : leftOutWords(rest).length + 1)
    if (entry.length > room) {
      return withRest(kept, entry, entries.length - at, most)
    }
    kept.push(entry)
  }
  return kept.join("\n")
}

/** Comments that do not fit are counted; of the first of them, as much is kept as fits. */
function withRest(kept: readonly string[], entry: string, left: number, most: number): string {
  const words = left > 1 ? leftOutWords(left - 1) : ""
  const room = most - lengthOf(kept) - (words === "" ? 0 : words.length + 1) - 1
  if (room < shortestPart) return [...kept, leftOutWords(left)].join("\n").slice(0, most)
  return [...kept, `${firstOf(entry, room)}…`, ...(words === "" ? [] : [words])].join("\n")
}

const shortestPart = 40

function leftOutWords(count: number): string {
  return count === 1 ? "(1 more comment did not fit.)" : `(${count} more comments did not fit.)`
}

/** With the line break that the next entry needs. */
function lengthOf(kept: readonly string[]): number {
  return kept.reduce((sum, entry) => sum + entry.length + 1, 0)
}

/** Never half a character. */
function firstOf(text: string, length: number): string {
  const code = text.charCodeAt(length)
  return text.slice(0, code >= 0xdc00 && code <= 0xdfff ? length - 1 : length)
}

/** By file, and within it from its beginning to its end. */
function inOrder(comments: readonly FileComment[]): readonly FileComment[] {
  const paths = [...new Set(comments.map(({ path }) => path))]
  return comments.toSorted(
    (one, other) => paths.indexOf(one.path) - paths.indexOf(other.path) || (one.line ?? 0) - (other.line ?? 0),
  )
}

function entryOf({ path, line, isRemoved, quote, text }: FileComment): string {
  const place = line === null ? `"${shortQuote(quote)}"` : isRemoved ? `line ${line} (removed)` : `line ${line}`
  return `${path} ${place}: ${text}`
}

function shortQuote(quote: string): string {
  const plain = quote.trim()
  return plain.length > longestQuote ? `${firstOf(plain, longestQuote)}…` : plain
}
