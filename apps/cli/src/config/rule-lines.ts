import type { RuleConflict, RuleLoss } from "@byleave/formats/languages"
import { type Paint, safeLines } from "../terminal/paint.ts"

/** The loss report as people read it; `where` is the file that the places are in. */
export function lossLines(losses: readonly RuleLoss[], where: string, paint: Paint): string {
  return losses
    .map(({ kind, path, line, column, written, why, became }) => {
      const place = line === undefined ? path : `${where}:${line}:${column ?? 1} ${path}`
      const word = paint(kind === "weaker" ? "red" : "yellow", kindWords[kind])
      return `${paint("bold", safeLines(place.trim()))} ${word} ${safeLines(written)}\n    ${safeLines(`${why}. Became: ${became}.`)}\n`
    })
    .join("")
}

const kindWords = {
  stricter: "stricter",
  dropped: "not carried",
  "no-effect": "without effect",
  weaker: "WEAKER",
} as const satisfies Record<RuleLoss["kind"], string>

export function conflictLines(conflicts: readonly RuleConflict[]): string {
  return conflicts
    .map(
      ({ imported, current, outcome }) =>
        `  ${safeLines(`${imported} contradicts ${current}`)}\n    ${safeLines(outcome)}\n`,
    )
    .join("")
}
