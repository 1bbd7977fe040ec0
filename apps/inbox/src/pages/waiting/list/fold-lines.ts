/** Groups of the waiting list that somebody has folded: of a session or of one of its tools only the heading is listed. */
import type { WaitingCall } from "../../../data/live/waiting-table.ts"
import type { ListLine } from "./group-calls.ts"

/** By the keys of their headings. */
export type Folded = ReadonlySet<string>

export const nothingFolded: Folded = new Set()

/** The lines without the calls of folded groups. */
export function foldLines(lines: readonly ListLine[], folded: Folded): readonly ListLine[] {
  if (folded.size === 0) return lines
  let inSession = false
  let inTool = false
  return lines.filter((line) => {
    if (line.kind === "session") {
      inSession = folded.has(line.key)
      inTool = false
      return true
    }
    if (line.kind === "tool") inTool = folded.has(line.key)
    else if (!line.isNested) inTool = false
    return !inSession && (line.kind === "tool" || !inTool)
  })
}

/** The headings a call stands under, the nearest first. */
export function groupsOf(lines: readonly ListLine[], id: string): readonly string[] {
  const holding = lines.filter((line) => line.kind !== "call" && line.calls.some((call) => call.id === id))
  return holding.map(({ key }) => key).reverse()
}

/** Folds the nearest group of a call; where one of its groups is folded already, unfolds the outermost of those. */
export function toggledFold(lines: readonly ListLine[], folded: Folded, id: string): Folded {
  const groups = groupsOf(lines, id)
  const key = groups.findLast((group) => folded.has(group)) ?? groups[0]
  return key === undefined ? folded : toggledKey(folded, key)
}

export function toggledKey(folded: Folded, key: string): Folded {
  return folded.has(key) ? new Set([...folded].filter((each) => each !== key)) : new Set([...folded, key])
}

/** A call that is opened is in sight: none of its groups is folded. */
export function unfoldedFor(lines: readonly ListLine[], folded: Folded, id: string): Folded {
  const groups = new Set(groupsOf(lines, id))
  return [...folded].some((key) => groups.has(key)) ? new Set([...folded].filter((key) => !groups.has(key))) : folded
}

const shownValues = 3

/** The subject of a folded group, by the first values of its calls: `notes.txt, plan.txt +4`. */
export function firstValues(calls: readonly WaitingCall[]): string {
  const values = [...new Set(calls.flatMap(({ preview }) => preview?.[0]?.text ?? []))]
  const first = values.slice(0, shownValues).join(", ")
  return values.length > shownValues ? `${first} +${values.length - shownValues}` : first
}
