import { type ReactNode, useRef } from "react"
import { Button } from "../../parts/button.tsx"
import { Dialog } from "../../parts/dialog.tsx"
import type { StopEditing } from "./use-stop-editing.ts"

export function DropChangesDialog({ keep, drop }: Omit<StopEditing, "isAsking">): ReactNode {
  const first = useRef<HTMLButtonElement | null>(null)
  return (
    <Dialog
      open
      onClose={keep}
      title="Discard your changes?"
      focusFirst={first}
      actions={
        <>
          <Button ref={first} onClick={keep}>
            Keep editing
          </Button>
          <Button tone="no" onClick={drop}>
            Discard changes
          </Button>
        </>
      }
    >
      <p>Your edits to the arguments have not been sent and will be lost. The call keeps waiting.</p>
    </Dialog>
  )
}
