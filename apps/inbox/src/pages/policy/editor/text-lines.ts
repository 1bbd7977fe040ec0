/** Lines of a text, counted from 1 as editors and problems do. */
import type { TextProblem } from "@byleave/api"
import { countOf } from "@byleave/ui"

/** Where a line and column stand in the text; what lies beyond its end is its end. */
export function offsetOf(text: string, line: number, column = 1): number {
  let start = 0
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf("\n", start)
    if (end < 0) return text.length
    start = end + 1
  }
  const end = text.indexOf("\n", start)
  return Math.min(start + Math.max(0, column - 1), end < 0 ? text.length : end)
}

type LineMark = { readonly line: number; readonly severity: TextProblem["severity"] }

/** One mark per line that has a problem, the graver one where it has several; a line beyond the text marks its last. */
export function lineMarks(problems: readonly TextProblem[], lines: number): readonly LineMark[] {
  const marks = new Map<number, TextProblem["severity"]>()
  for (const { line, severity } of problems) {
    if (line === null) continue
    const within = Math.min(Math.max(1, line), lines)
    if (marks.get(within) !== "error") marks.set(within, severity)
  }
  return [...marks].map(([line, severity]) => ({ line, severity })).toSorted((a, b) => a.line - b.line)
}

/** Errors before warnings, then from the top; what is about the whole comes first among its like. */
export function inReadingOrder(problems: readonly TextProblem[]): readonly TextProblem[] {
  const grave = (problem: TextProblem) => (problem.severity === "error" ? 0 : 1)
  return problems.toSorted(
    (a, b) => grave(a) - grave(b) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  )
}

/** `2 errors and 1 warning`; null when there are none. */
export function problemCount(problems: readonly TextProblem[]): string | null {
  const errors = problems.filter(({ severity }) => severity === "error").length
  const warnings = problems.length - errors
  const parts = [
    ...(errors === 0 ? [] : [countOf(errors, "error")]),
    ...(warnings === 0 ? [] : [countOf(warnings, "warning")]),
  ]
  return parts.length === 0 ? null : parts.join(" and ")
}
