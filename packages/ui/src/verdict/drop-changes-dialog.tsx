import { type ReactNode, useRef } from "react"
import { Button } from "../parts/button.tsx"
import { Dialog } from "../parts/dialog.tsx"
import type { StopEditing } from "./use-stop-editing.ts"

/** Asks before changed arguments are lost. */
export function DropChangesDialog({ keep, drop }: Omit<StopEditing, "isAsking">): ReactNode {
  const first = useRef<HTMLButtonElement | null>(null)
  return (
    <Dialog
      open
      onClose={keep}
      title="Drop your changes?"
      focusFirst={first}
      actions={
        <>
          <Button ref={first} onClick={keep}>
            Keep editing
          </Button>
          <Button tone="no" onClick={drop}>
            Drop the changes
          </Button>
        </>
      }
    >
      <p>What you changed in the arguments is not sent. If you stop editing, it is gone; the call goes on waiting.</p>
    </Dialog>
  )
}
