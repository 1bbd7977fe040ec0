import type { RunView } from "@byleave/api"
import { TheirWords } from "@byleave/ui"
import { useRouter } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useAct } from "../../data/use-act.ts"
import { useToast } from "../../shell/toast.tsx"
import { ConfirmDialog } from "../places/confirm-dialog.tsx"

type DeleteRunDialogProps = {
  readonly run: RunView
  /** The word for the run in this part of the page. */
  readonly noun: "run" | "thread"
  /** The page to show once the run is gone. */
  readonly then: "/runs" | "/chat"
  readonly children: ReactNode
  readonly onClose: () => void
}

/** Asks before an agent run is deleted, says that it was, and goes back to the list it was in. */
export function DeleteRunDialog({ run, noun, then, children, onClose }: DeleteRunDialogProps): ReactNode {
  const remove = useAct("removeRun")
  const router = useRouter()
  const say = useToast()
  const finish = async (): Promise<void> => {
    if (!(await remove.act({ params: { id: run.id } })).ok) return
    onClose()
    say({ title: noun === "run" ? "Run deleted" : "Thread deleted" })
    await router.navigate({ to: then } as never)
  }
  return (
    <ConfirmDialog
      title={`Delete this ${noun}?`}
      lead={<TheirWords text={run.title} most={200} />}
      confirm={`Delete ${noun}`}
      busyWords="Deleting…"
      tone="no"
      act={remove}
      onConfirm={() => void finish()}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  )
}
