import { undoDigest } from "@byleave/api/page"
import type { CardActions } from "@byleave/ui"
import { useAct } from "./use-act.ts"

type Undo = Pick<CardActions, "loadUndo" | "onPutBack"> & {
  readonly act: Pick<ReturnType<typeof useAct<"undoApproval">>, "problem" | "forget">
}

/** Putting back what a call has changed: looks first, then sends what was shown. `onDone`: with the id of the new call. */
export function useUndo(onDone: (id: string) => void): Undo {
  const looking = useAct("previewUndo")
  const undoing = useAct("undoApproval")
  const loadUndo: CardActions["loadUndo"] = async ({ id }) => {
    const reply = await looking.act({ params: { id } })
    return reply.ok ? reply.value : { kind: "unavailable", why: reply.problem.detail }
  }
  const onPutBack: CardActions["onPutBack"] = async ({ id }, undo) => {
    const body = { digest: await undoDigest(id, undo) }
    const reply = await undoing.act({ params: { id }, body })
    if (reply.ok) onDone(reply.value.approval.id)
    return reply.ok
  }
  return { loadUndo, onPutBack, act: undoing }
}
