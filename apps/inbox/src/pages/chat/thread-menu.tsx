import type { RunView } from "@byleave/api"
import { Button, Menu, TextField } from "@byleave/ui"
import { Ellipsis } from "lucide-react"
import { type ReactNode, useRef, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { ConfirmDialog } from "../places/confirm-dialog.tsx"
import { DeleteRunDialog } from "../runs/delete-run-dialog.tsx"
import look from "./thread-menu.module.css"
import { useSaveThread } from "./use-save-thread.ts"

/** Renames a thread, saves it as a file or a recording, and deletes it. */
export function ThreadMenu({ run }: { readonly run: RunView }): ReactNode {
  const [open, setOpen] = useState<"rename" | "delete" | null>(null)
  const close = (): void => setOpen(null)
  const save = useSaveThread(run)
  const isOpen = run.status === "running" || run.status === "paused"
  return (
    <>
      <Menu
        label="More for this thread"
        trigger={
          <Button size="small" tone="quiet" icon={<Ellipsis />} aria-label="More for this thread">
            <span className={look.wide}>More</span>
          </Button>
        }
        items={[
          { label: "Rename…", onChoose: () => setOpen("rename") },
          { label: "Export as Markdown", onChoose: () => void save("markdown") },
          { label: "Export as JSON", onChoose: () => void save("json") },
          {
            label: "Save a recording",
            ...(isOpen ? { words: "Once the reply is complete and nothing waits", disabled: true } : {}),
            onChoose: () => void save("recording"),
          },
          { label: "Delete…", tone: "no", onChoose: () => setOpen("delete") },
        ]}
      />
      {open === "rename" && <RenameDialog run={run} onClose={close} />}
      {open === "delete" && (
        <DeleteRunDialog run={run} noun="thread" then="/chat" onClose={close}>
          <p>
            Its messages and results are removed for good, and permissions given for it end. Calls that wait are
            withdrawn. The calls it made stay in Activity and in the audit trail.
          </p>
        </DeleteRunDialog>
      )}
    </>
  )
}

type ThreadDialogProps = { readonly run: RunView; readonly onClose: () => void }

function RenameDialog({ run, onClose }: ThreadDialogProps): ReactNode {
  const rename = useAct("renameRun")
  const [title, setTitle] = useState(run.title)
  const field = useRef<HTMLInputElement>(null)
  const finish = async (): Promise<void> => {
    if (title.trim() === "") return
    if ((await rename.act({ params: { id: run.id }, body: { title: title.trim() } })).ok) onClose()
  }
  return (
    <ConfirmDialog
      title="Rename this thread"
      confirm="Rename"
      busyWords="Renaming…"
      disabled={title.trim() === ""}
      act={rename}
      focusFirst={field}
      onConfirm={() => void finish()}
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void finish()
        }}
      >
        <TextField
          ref={field}
          label="Title"
          value={title}
          maxLength={200}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
      </form>
    </ConfirmDialog>
  )
}
