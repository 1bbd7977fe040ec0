import type { Problem } from "@byleave/api"
import { Button, Dialog, type DialogProps } from "@byleave/ui"
import type { ReactNode } from "react"
import { ProblemNotice } from "./problem-notice.tsx"

type ConfirmDialogProps = Omit<DialogProps, "open" | "actions"> & {
  /** What the button says, and what it says while its work is under way. */
  readonly confirm: string
  readonly busyWords: string
  /** What the button says that changes nothing. */
  readonly dismiss?: string
  readonly tone?: "plain" | "yes" | "no"
  readonly disabled?: boolean
  readonly act: { readonly isBusy: boolean; readonly problem: Problem | null }
  readonly onConfirm: () => void
}

/** What is about to change, in words, before it does. Closing it changes nothing. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const {
    children,
    confirm,
    busyWords,
    dismiss = "Cancel",
    tone = "plain",
    disabled = false,
    act,
    onConfirm,
    ...dialog
  } = props
  const actions = (
    <>
      <Button onClick={dialog.onClose}>{dismiss}</Button>
      <Button tone={tone} busy={act.isBusy && busyWords} disabled={disabled} onClick={onConfirm}>
        {confirm}
      </Button>
    </>
  )
  return (
    <Dialog open actions={actions} {...dialog}>
      {children}
      <ProblemNotice problem={act.problem} />
    </Dialog>
  )
}
