import type { SessionView } from "@byleave/api"
import { sessionDigest, sessionName } from "@byleave/api/page"
import { ShownName } from "@byleave/ui"
import type { ReactNode } from "react"
import { useAct } from "../../data/use-act.ts"
import { ConfirmDialog } from "../places/confirm-dialog.tsx"
import look from "./end-session-dialog.module.css"
import { endingWords } from "./ending-words.ts"

type EndSessionDialogProps = { readonly session: SessionView; readonly onClose: () => void }

/** Says what ending does, and what it does not, before it is done. */
export function EndSessionDialog({ session, onClose }: EndSessionDialogProps): ReactNode {
  const end = useAct("endSession")
  const { principal, id } = session
  const finish = async (): Promise<void> => {
    const digest = await sessionDigest(session)
    if ((await end.act({ body: { principal, id, digest } })).ok) onClose()
  }
  return (
    <ConfirmDialog
      title="End this session?"
      lead={<ShownName text={sessionName(session, session)} />}
      confirm="End session"
      busyWords="Ending…"
      tone="no"
      act={end}
      onConfirm={() => void finish()}
      onClose={onClose}
    >
      <ul className={look.words}>
        {endingWords(session).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
