import { useCallback, useState } from "react"
import { type Draft, emptyDraft } from "./draft.ts"

/** Messages that were typed and not sent, for each thread by itself, while the page is open. */
export function useDrafts(id: string | null): readonly [Draft, (draft: Draft) => void] {
  const [drafts, setDrafts] = useState<ReadonlyMap<string | null, Draft>>(new Map())
  const setDraft = useCallback((draft: Draft) => setDrafts((before) => new Map(before).set(id, draft)), [id])
  return [drafts.get(id) ?? emptyDraft, setDraft]
}
