import type { RunView } from "@byleave/api"
import { Button, Menu, TextField } from "@byleave/ui"
import { threadAsJson, threadAsMarkdown } from "@byleave/ui/chat"
import { useRouter } from "@tanstack/react-router"
import { Ellipsis } from "lucide-react"
import { type ReactNode, useRef, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { useToast } from "../../shell/toast.tsx"
import { ConfirmDialog } from "../places/confirm-dialog.tsx"
import look from "./thread-menu.module.css"
import type { Thread } from "./use-thread.ts"

type ThreadMenuProps = { readonly run: RunView; readonly thread: Thread }

/** Renames, exports and deletes a thread. */
export function ThreadMenu({ run, thread }: ThreadMenuProps): ReactNode {
  const [open, setOpen] = useState<"rename" | "delete" | null>(null)
  const close = (): void => setOpen(null)
  const save = (kind: "json" | "md"): void => {
    const exported = { run, messages: thread.messages, approvals: thread.approvals }
    const text = kind === "json" ? threadAsJson(exported) : threadAsMarkdown(exported)
    download(`${fileName(run.title)}.${kind}`, text, kind === "json" ? "application/json" : "text/markdown")
  }
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
          { label: "Export as Markdown", onChoose: () => save("md") },
          { label: "Export as JSON", onChoose: () => save("json") },
          { label: "Delete…", tone: "no", onChoose: () => setOpen("delete") },
        ]}
      />
      {open === "rename" && <RenameDialog run={run} onClose={close} />}
      {open === "delete" && <DeleteDialog run={run} onClose={close} />}
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

function DeleteDialog({ run, onClose }: ThreadDialogProps): ReactNode {
  const remove = useAct("removeRun")
  const router = useRouter()
  const say = useToast()
  const finish = async (): Promise<void> => {
    if (!(await remove.act({ params: { id: run.id } })).ok) return
    onClose()
    say({ title: "Thread deleted" })
    await router.navigate({ to: "/chat" } as never)
  }
  return (
    <ConfirmDialog
      title="Delete this thread?"
      confirm="Delete thread"
      busyWords="Deleting…"
      tone="no"
      act={remove}
      onConfirm={() => void finish()}
      onClose={onClose}
    >
      <p>
        Its messages and results are removed for good, and permissions given for it end. Calls that wait are withdrawn.
        The calls it made stay in Activity and in the audit trail.
      </p>
    </ConfirmDialog>
  )
}

function fileName(title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
  return words.slice(0, 60) || "thread"
}

function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
