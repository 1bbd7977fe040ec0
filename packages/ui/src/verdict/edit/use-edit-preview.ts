import type { JsonObject } from "@byleave/core"
import { useEffect, useMemo, useRef, useState } from "react"
import { type ArgumentDraft, createEditPreviewer, type LoadPreview } from "./edit-previewer.ts"

export type EditPreviewing = {
  /** Null: nothing is edited. */
  readonly draft: ArgumentDraft | null
  readonly onEdit: (args: JsonObject | null) => void
  readonly onCheckAgain: () => void
}

/** The arguments somebody edits, with what they would do; null where nobody can tell. */
export function useEditPreview(load: LoadPreview | undefined): EditPreviewing | null {
  const [draft, setDraft] = useState<ArgumentDraft | null>(null)
  const latest = useRef(load)
  useEffect(() => {
    latest.current = load
  })
  const previewer = useMemo(() => {
    return createEditPreviewer(async (args) => {
      if (latest.current === undefined) throw new Error("The preview service is missing.")
      return latest.current(args)
    }, setDraft)
  }, [])
  useEffect(() => previewer.stop, [previewer])
  return load === undefined ? null : { draft, onEdit: previewer.edit, onCheckAgain: previewer.again }
}
