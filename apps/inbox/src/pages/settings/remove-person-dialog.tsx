import type { ReviewerView } from "@byleave/api"
import { Button, Dialog, ShownText } from "@byleave/ui"
import type { ReactNode } from "react"
import { useAct } from "../../data/use-act.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"

export function RemovePersonDialog({
  person,
  onClose,
}: {
  readonly person: ReviewerView
  readonly onClose: () => void
}): ReactNode {
  const remove = useAct("removeReviewer")
  const finish = async (): Promise<void> => {
    if ((await remove.act({ params: { id: person.id } })).ok) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Remove this reviewer?"
      lead={<ShownText text={`${person.name} (${person.id})`} />}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="no" busy={remove.isBusy && "Removing…"} onClick={() => void finish()}>
            Remove and sign out everywhere
          </Button>
        </>
      }
    >
      <p>
        All their browsers and terminals are signed out immediately, and they can no longer decide. Their past decisions
        stay on record.
      </p>
      <ProblemNotice problem={remove.problem} />
    </Dialog>
  )
}
