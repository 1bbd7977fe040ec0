/**
 * An approval without what its caller sent and what came back: for lists, which must stay small whatever agents send.
 *
 * I1. No larger than a few pages of text, whatever the arguments, the result and the names are.
 */
import { firstCharacters } from "../call/text/first-characters.ts"
import type { RiskKind } from "../policy/risks/risk.ts"
import type { Approval } from "./approval.ts"
import { type PreviewedArgument, previewOf } from "./argument-preview.ts"
import { heldBytes } from "./checked-arguments.ts"

type WithoutPayload<Each> = Each extends Approval
  ? Omit<Each, "args" | "extraParams" | "droppedParams" | "editedArgs" | "checked" | "result" | "error">
  : never

export type ApprovalSummary = WithoutPayload<Approval> & {
  /** How many bytes of JSON the arguments are. */
  readonly bytes: number
  /** Null once retention has removed the arguments. */
  readonly preview: readonly PreviewedArgument[] | null
  /** The number of risks and their kinds. Null if risks were not looked for when the call was held. */
  readonly risks: { readonly count: number; readonly kinds: readonly RiskKind[] } | null
}

const longestSentence = 2_000

export function summaryOf(approval: Approval): ApprovalSummary {
  const { extraParams: _, droppedParams: __, ...sent } = approval as Approval & Payload
  const { args, editedArgs, checked, result: ___, error: ____, ...rest } = sent
  const shown = editedArgs ?? args
  const kinds = checked?.risks.map(({ kind }) => kind) ?? []
  return {
    ...rest,
    why: firstCharacters(approval.why, longestSentence),
    ...("detail" in approval ? { detail: firstCharacters(approval.detail, longestSentence) } : {}),
    bytes: checked?.bytes ?? heldBytes(approval, editedArgs),
    preview: shown === null ? null : previewOf(shown),
    risks: checked === undefined ? null : { count: kinds.length, kinds: [...new Set(kinds)] },
  } as ApprovalSummary
}

type Payload = { readonly result?: unknown; readonly error?: unknown }
