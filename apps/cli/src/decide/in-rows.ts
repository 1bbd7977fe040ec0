import type { Output } from "../io.ts"
import { goesOn, wrapLine } from "./wrap-line.ts"

/** The width of a terminal that does not say it. */
const usualColumns = 80

/**
 * Lines in which names and words of others stand, for a terminal: each ends before its edge, and goes on behind the mark, so that no name draws a row of its own. Files and programs
 * get them as they are.
 */
export function inRows(text: string, output: Pick<Output, "isTerminal" | "columns">): string {
  if (!output.isTerminal) return text
  const columns = output.columns?.() || usualColumns
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, columns))
    .join("\n")
}

/** The same for one line, within which words of others may begin new ones. */
export function inRow(line: string, output: Pick<Output, "isTerminal" | "columns">): string {
  return output.isTerminal ? inRows(line.replaceAll("\n", `\n${goesOn}`), output) : line
}
