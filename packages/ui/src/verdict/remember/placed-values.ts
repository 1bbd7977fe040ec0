import type { ApprovalView } from "@byleave/api"
import { shownArguments, shownExtraParams } from "@byleave/api/page"
import { canonicalJson, type JsonObject, type JsonValue, keyOf, looksSecret } from "@byleave/core"
import { type ArgChange, argChanges, placeWords } from "../../card/arguments/arg-changes.ts"
import { valueWords } from "../../card/arguments/arg-tree.ts"
import { isSameTool } from "../same-tool.ts"

/** The text before a difference, so that people find the place. */
const leadIn = 20

/** A value of a call, and where in its arguments it stands. Secrets stay masked. */
export type Placed = { readonly place: string; readonly text: string }

/**
 * The values of a call where another one of the same tool has others. Null where the two cannot be compared: other tools, or arguments
 * that are no longer kept.
 */
export function otherwiseThan(answered: ApprovalView, approval: ApprovalView): readonly Placed[] | null {
  const known = shownArguments(answered)
  const args = shownArguments(approval)
  if (known === null || args === null || !isSameTool(answered, approval)) return null
  const extra = shownExtraParams(approval) ?? {}
  const beside = argChanges(shownExtraParams(answered) ?? {}, extra)
  return [
    ...argChanges(known, args).map((change) => placed(approval, change, { where: "", within: args })),
    ...beside.map((change) => placed(approval, change, { where: "also sent: ", within: extra })),
    ...otherDropped(answered, approval),
  ]
}

function placed(
  approval: ApprovalView,
  { path, before, after }: ArgChange,
  { where, within }: { readonly where: string; readonly within: JsonObject },
): Placed {
  const text = after === undefined ? "missing" : otherText(approval, path, before, after)
  return { place: where + placeWords(path, within), text }
}

/** Params that the server is not sent. */
function otherDropped(answered: ApprovalView, approval: ApprovalView): readonly Placed[] {
  const [known, dropped] = [answered, approval].map((call) => canonicalJson([...(call.droppedParams ?? [])]))
  return known === dropped || dropped === undefined ? [] : [{ place: "not sent", text: dropped }]
}

function otherText(approval: ApprovalView, path: string, known: JsonValue | undefined, value: JsonValue): string {
  if (isSecret(approval, namesIn(path), value)) return `(secret, ${lengthOf(value)} characters)`
  const text = typeof known === "string" && typeof value === "string" ? fromDifference(known, value) : value
  return text === value ? valueWords(value) : String(text)
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

function lengthOf(value: JsonValue): number {
  return (typeof value === "string" ? value : JSON.stringify(value)).length
}

/** Also where a secret stands beside it under the same argument: a line is no place to tell them apart. */
function isSecret({ risks }: ApprovalView, names: readonly string[], value: JsonValue): boolean {
  const first = keyOf(names.slice(0, 1))
  const marked = risks.some(({ kind, key }) => kind === "secret-like" && (key === first || key.startsWith(`${first}.`)))
  return marked || (typeof value === "string" && looksSecret(names.at(-1) ?? "", value))
}

/** Never half a character: it would be shown as one that is none. */
function wholeFrom(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at
}
