import type { SessionView } from "@byleave/api"
import { sessionDigest, sessionName } from "@byleave/api/page"
import { Button, Dialog, ShownName } from "@byleave/ui"
import type { ReactNode } from "react"
import { useAct } from "../../data/use-act.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import look from "./end-session-dialog.module.css"
import { endingWords } from "./ending-words.ts"

/** Says what ending does, and what it does not, before it is done. */
export function EndSessionDialog({
  session,
  onClose,
}: {
  readonly session: SessionView
  readonly onClose: () => void
}): ReactNode {
  const end = useAct("endSession")
  const { principal, id } = session
  const finish = async (): Promise<void> => {
    const digest = await sessionDigest(session)
    if ((await end.act({ body: { principal, id, digest } })).ok) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="End this session?"
      lead={<ShownName text={sessionName(session, session)} />}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="no" busy={end.isBusy && "Ending…"} onClick={() => void finish()}>
            End session
          </Button>
        </>
      }
    >
      <ul className={look.words}>
        {endingWords(session).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      <ProblemNotice problem={end.problem} />
    </Dialog>
  )
}
