import type { ConfigProblem } from "@byleave/formats"
import { type Paint, safeLines, sentenceLines } from "../terminal/paint.ts"

/** Problems as people read them: place, severity, what to write instead. */
export function problemLines(problems: ReadonlyArray<Omit<ConfigProblem, "code" | "path">>, paint: Paint): string {
  return problems
    .map(({ where, line, column, severity, message }) => {
      const word = severity === "error" ? paint("red", "error") : paint("yellow", "warning")
      return `${paint("bold", safeLines(`${where}:${line}:${column}`))} ${word} ${sentenceLines(message)}\n`
    })
    .join("")
}

/** `3 errors`, `1 warning`. */
export function countOf(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`
}
