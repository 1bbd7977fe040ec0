import type { Problem } from "@byleave/api"
import { Button, Dialog, Notice } from "@byleave/ui"
import type { ReactNode } from "react"

type ConfirmDialogProps = {
  readonly title: string
  readonly lead?: string
  readonly children: ReactNode
  /** What the button says, and what it says while its work is under way. */
  readonly confirm: string
  readonly busyWords: string
  readonly tone?: "plain" | "yes" | "no"
  readonly isBusy: boolean
  readonly disabled?: boolean
  readonly problem: Problem | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** What is about to change, in words, before it does. Closing it changes nothing. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const {
    title,
    lead,
    children,
    confirm,
    busyWords,
    tone = "plain",
    isBusy,
    disabled,
    problem,
    onConfirm,
    onClose,
  } = props
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button tone={tone} busy={isBusy && busyWords} disabled={disabled === true} onClick={onConfirm}>
        {confirm}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={onClose} title={title} actions={actions} {...(lead === undefined ? {} : { lead })}>
      {children}
      {problem !== null && (
        <Notice tone="no" title="This could not be completed">
          {problem.detail}
        </Notice>
      )}
    </Dialog>
  )
}
