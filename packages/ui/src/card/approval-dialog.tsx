import type { ReactNode } from "react"
import { Dialog } from "../parts/dialog.tsx"
import look from "./approval-dialog.module.css"

type ApprovalDialogProps = {
  /** The close box, Escape or a click outside. Decides nothing: the call keeps waiting. */
  readonly onClose: () => void
  /** The card, as it stands elsewhere. */
  readonly children: ReactNode
}

/** The card of a call in a window of its own. Only its answers decide. */
export function ApprovalDialog({ onClose, children }: ApprovalDialogProps): ReactNode {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Review this call"
      lead="Closing this window decides nothing. The call keeps waiting."
    >
      <div className={look.card}>{children}</div>
    </Dialog>
  )
}
