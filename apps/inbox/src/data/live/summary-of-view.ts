import type { ApprovalSummaryView, ApprovalView } from "@byleave/api"
import { bytesOf, previewOf } from "@byleave/core"

/** A call that was read whole, as a list holds it. */
export function summaryOfView(view: ApprovalView): ApprovalSummaryView {
  const { args, argsText: _, editedArgs, editedArgsText: __, risks, definition: ___, nearMiss: ____, ...beside } = view
  const { extraParams, extraParamsText: _______, droppedParams: ________, ...told } = beside
  const shown = editedArgs ?? args
  const { result: _____, error: ______, ...rest } = told as typeof told & Payload
  return {
    ...rest,
    bytes: bytesOf(args) + bytesOf(extraParams ?? null) + bytesOf(editedArgs),
    preview: shown === null ? null : previewOf(shown),
    risks: { count: risks.length, kinds: [...new Set(risks.map(({ kind }) => kind))] },
  } as ApprovalSummaryView
}

type Payload = { readonly result?: unknown; readonly error?: unknown }
