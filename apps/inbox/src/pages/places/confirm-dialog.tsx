import type { Problem } from "@byleave/api"
import { Button, Dialog, type DialogProps } from "@byleave/ui"
import type { ReactNode } from "react"
import { ProblemNotice } from "./problem-notice.tsx"

type ConfirmDialogProps = Omit<DialogProps, "open" | "actions"> & {
  /** The label of the button, and the one while its work is under way. */
  readonly confirm: string
  readonly busyWords: string
  /** The label of the button that changes nothing. */
  readonly dismiss?: string
  readonly tone?: "plain" | "yes" | "no"
  readonly disabled?: boolean
  readonly act: { readonly isBusy: boolean; readonly problem: Problem | null }
  readonly onConfirm: () => void
}

/** Says what is about to change, and asks. Closing it changes nothing. */
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
