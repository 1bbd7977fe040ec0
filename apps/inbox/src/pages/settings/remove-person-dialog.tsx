import type { ReviewerView } from "@byleave/api"
import { ShownText } from "@byleave/ui"
import type { ReactNode } from "react"
import { useAct } from "../../data/use-act.ts"
import { ConfirmDialog } from "../places/confirm-dialog.tsx"

type RemovePersonDialogProps = { readonly person: ReviewerView; readonly onClose: () => void }

export function RemovePersonDialog({ person, onClose }: RemovePersonDialogProps): ReactNode {
  const remove = useAct("removeReviewer")
  const finish = async (): Promise<void> => {
    if ((await remove.act({ params: { id: person.id } })).ok) onClose()
  }
  return (
    <ConfirmDialog
      title="Remove this reviewer?"
      lead={<ShownText text={`${person.name} (${person.id})`} />}
      confirm="Remove and sign out everywhere"
      busyWords="Removing…"
      tone="no"
      act={remove}
      onConfirm={() => void finish()}
      onClose={onClose}
    >
      <p>
        All their browsers and terminals are signed out immediately, and they can no longer decide. Their past decisions
        stay on record.
      </p>
    </ConfirmDialog>
  )
}
