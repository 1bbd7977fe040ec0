import type { ApprovalView } from "@byleave/api"
import { shownArguments } from "@byleave/api/page"
import { type JsonValue, looksSecret } from "@byleave/core"
import { argChanges, placeWords } from "../card/arg-changes.ts"
import { isSameTool } from "./also-waiting.ts"

/** What leads up to a difference, so that people find the place. */
const leadIn = 20

/** A value of a call, and where in its arguments it stands. Secrets stay masked. */
export type Placed = { readonly place: string; readonly text: string }

/** A call's arguments, each in a line; null once retention has removed them. */
export function placedArguments(approval: ApprovalView): readonly Placed[] | null {
  const args = shownArguments(approval)
  if (args === null) return null
  return Object.entries(args).map(([name, value]) => ({ place: name, text: valueText(approval, [name], value) }))
}

/**
 * What stands in a call where another one of the same tool has something else. Null where the two cannot be compared: other tools, or arguments
 * that are no longer kept.
 */
export function otherwiseThan(answered: ApprovalView, approval: ApprovalView): readonly Placed[] | null {
  const known = shownArguments(answered)
  const args = shownArguments(approval)
  if (known === null || args === null || !isSameTool(answered, approval)) return null
  return argChanges(known, args).map((change) => ({
    place: placeWords(change.path),
    text: change.after === undefined ? "missing" : otherText(approval, change.path, change.before, change.after),
  }))
}

function otherText(approval: ApprovalView, path: string, known: JsonValue | undefined, value: JsonValue): string {
  const text = valueText(approval, namesIn(path), value)
  return text === value && typeof known === "string" ? fromDifference(known, value) : text
}

/** Long texts that begin alike would look the same if both were cut. */
function fromDifference(known: string, text: string): string {
  let at = 0
  while (at < text.length && text[at] === known[at]) at += 1
  const start = wholeFrom(text, at - leadIn)
  return start <= 0 ? text : `…${text.slice(start)}`
}

function namesIn(pointer: string): readonly string[] {
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
}

function valueText(approval: ApprovalView, names: readonly string[], value: JsonValue): string {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return isSecret(approval, names, value) ? `(secret, ${text.length} characters)` : text
}

/** Also where a secret stands beside it under the same argument: a line is no place to tell them apart. */
function isSecret({ risks }: ApprovalView, names: readonly string[], value: JsonValue): boolean {
  const first = names[0] ?? ""
  const marked = risks.some(({ kind, key }) => kind === "secret-like" && (key === first || key.startsWith(`${first}.`)))
  return marked || (typeof value === "string" && looksSecret(names.at(-1) ?? "", value))
}

/** Never half a character: it would be shown as one that is none. */
function wholeFrom(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at
}
