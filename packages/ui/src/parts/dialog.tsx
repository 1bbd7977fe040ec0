import { Dialog as Base } from "@base-ui/react/dialog"
import { X } from "lucide-react"
import type { ReactNode, RefObject } from "react"
import look from "./dialog.module.css"

export type DialogProps = {
  readonly open: boolean
  /** Escape, a click outside, or the close button; never a decision. */
  readonly onClose: () => void
  readonly title: string
  readonly lead?: ReactNode
  readonly children: ReactNode
  readonly actions?: ReactNode
  /** The control that has the focus at first; else the first one. */
  readonly focusFirst?: RefObject<HTMLElement | null>
}

/** A question that stands before the page until it is answered or closed. */
export function Dialog({ open, onClose, title, lead, children, actions, focusFirst }: DialogProps): ReactNode {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={look.backdrop} />
        <Base.Popup className={look.dialog} {...(focusFirst === undefined ? {} : { initialFocus: focusFirst })}>
          <header className={look.head}>
            <Base.Title className={look.title}>{title}</Base.Title>
            <Base.Close className={look.close} aria-label="Close">
              <X aria-hidden="true" />
            </Base.Close>
          </header>
          {lead !== undefined && <Base.Description className={look.lead}>{lead}</Base.Description>}
          <div className={look.body}>{children}</div>
          {actions !== undefined && <footer className={look.actions}>{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
