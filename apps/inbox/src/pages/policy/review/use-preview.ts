import { useEffect, useReducer } from "react"
import { useClient } from "../../../data/client.tsx"
import { problemOf } from "../../../data/use-read.ts"
import { idlePreview, nextPreview, type PreviewEvent, type PreviewState } from "./preview-state.ts"

const pauseMs = 500

/** Looks at a text once its writer pauses; what is asked of a text that has changed since is abandoned. */
export function usePreview(): readonly [PreviewState, (event: PreviewEvent) => void] {
  const client = useClient()
  const [now, tell] = useReducer(nextPreview, idlePreview)
  const typed = now.state === "typing" ? now.text : null
  const asked = now.state === "asking" ? now.text : null
  useEffect(() => {
    if (typed === null) return
    const timer = setTimeout(() => tell({ type: "paused" }), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  useEffect(() => {
    if (asked === null) return
    const abort = new AbortController()
    client
      .previewPolicy({ body: { text: asked }, signal: abort.signal })
      .catch((error: Error) => ({ ok: false, problem: problemOf(error) }) as const)
      .then((reply) => {
        if (!abort.signal.aborted) tell({ type: "answered", text: asked, reply })
      })
    return () => abort.abort()
  }, [asked, client])
  return [now, tell]
}
