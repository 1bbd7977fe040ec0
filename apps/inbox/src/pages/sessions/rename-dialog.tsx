import type { SessionView } from "@byleave/api"
import { sessionName } from "@byleave/api/page"
import { showText } from "@byleave/core"
import { TextField } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { ConfirmDialog } from "../places/confirm-dialog.tsx"

const longest = 120

type RenameDialogProps = { readonly session: SessionView; readonly onClose: () => void }

/** A name people know it by. An empty one goes back to what is known of the session. */
export function RenameDialog({ session, onClose }: RenameDialogProps): ReactNode {
  const [label, setLabel] = useState(session.label ?? "")
  const name = useAct("nameSession")
  const { principal, id } = session
  const finish = async (): Promise<void> => {
    const trimmed = label.trim()
    if ((await name.act({ body: { principal, id, label: trimmed === "" ? null : trimmed } })).ok) onClose()
  }
  return (
    <ConfirmDialog
      title="Rename session"
      lead="Visible to all reviewers. The agent does not see it."
      confirm="Save name"
      busyWords="Naming…"
      act={name}
      onConfirm={() => void finish()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint={`Leave empty for ${showText(sessionName({ ...session, label: null }, session))}`}
        maxLength={longest}
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && void finish()}
      />
    </ConfirmDialog>
  )
}
