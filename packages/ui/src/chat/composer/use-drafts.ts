import { useCallback, useState } from "react"
import { type Draft, emptyDraft, isEmptyDraft } from "./draft.ts"

export type Drafts = {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  /** Puts a message back that was not sent after all, unless another one is there by now. */
  readonly onRefused: (draft: Draft) => void
}

/** Messages that were typed and not sent, for each thread by itself, while the page is open. */
export function useDrafts(id: string | null): Drafts {
  const [drafts, setDrafts] = useState<ReadonlyMap<string | null, Draft>>(new Map())
  const onDraft = useCallback((draft: Draft) => setDrafts((before) => new Map(before).set(id, draft)), [id])
  const onRefused = useCallback(
    (draft: Draft) =>
      setDrafts((before) => (isEmptyDraft(before.get(id) ?? emptyDraft) ? new Map(before).set(id, draft) : before)),
    [id],
  )
  return { draft: drafts.get(id) ?? emptyDraft, onDraft, onRefused }
}
