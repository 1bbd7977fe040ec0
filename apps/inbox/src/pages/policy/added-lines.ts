/** The first and last line that are new, from 1. */
export type AddedLines = { readonly from: number; readonly to: number }

/** Finds the lines that stand in a text since something was added to it at one place. */
export function addedLines(before: string, after: string): AddedLines {
  const old = before.split("\n")
  const lines = after.split("\n")
  let head = 0
  while (head < old.length && old[head] === lines[head]) head += 1
  let tail = 0
  while (tail < old.length - head && old.at(-1 - tail) === lines.at(-1 - tail)) tail += 1
  return { from: head + 1, to: Math.max(head + 1, lines.length - tail) }
}
