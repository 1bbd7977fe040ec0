import type { RunView } from "@byleave/api"
import { Button, TheirWords } from "@byleave/ui"
import { CircleStop, Trash2 } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { ConfirmDialog } from "../places/confirm-dialog.tsx"
import { DeleteRunDialog } from "./delete-run-dialog.tsx"

/** Ends a run that goes on, or deletes one that is over. */
export function RunControls({ run }: { readonly run: RunView }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const isOpenRun = run.status === "running" || run.status === "paused"
  return (
    <>
      {isOpenRun ? (
        <Button size="small" tone="no" icon={<CircleStop />} onClick={() => setOpen(true)}>
          Cancel run…
        </Button>
      ) : (
        <Button size="small" icon={<Trash2 />} onClick={() => setOpen(true)}>
          Delete…
        </Button>
      )}
      {isOpen && isOpenRun && <CancelDialog run={run} onClose={close} />}
      {isOpen && !isOpenRun && (
        <DeleteRunDialog run={run} noun="run" then="/runs" onClose={close}>
          <p>
            Its messages and results are removed for good. The calls it made stay in Activity and in the audit trail.
            This needs a browser that was signed in with your PIN.
          </p>
        </DeleteRunDialog>
      )}
    </>
  )
}

type RunDialogProps = { readonly run: RunView; readonly onClose: () => void }

function CancelDialog({ run, onClose }: RunDialogProps): ReactNode {
  const cancel = useAct("cancelRun")
  const finish = async (): Promise<void> => {
    if ((await cancel.act({ params: { id: run.id } })).ok) onClose()
  }
  return (
    <ConfirmDialog
      title="Cancel this run?"
      lead={<TheirWords text={run.title} most={200} />}
      confirm="Cancel run"
      busyWords="Cancelling…"
      dismiss="Keep the run"
      tone="no"
      act={cancel}
      onConfirm={() => void finish()}
      onClose={onClose}
    >
      <p>
        {run.status === "paused" ? "Its waiting calls are withdrawn and do not run. " : "It stops at once. "}
        Calls that already ran are not undone. A cancelled run cannot be continued.
      </p>
    </ConfirmDialog>
  )
}
