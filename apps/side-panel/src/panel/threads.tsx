import type { RunSummaryView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Ago, Button, Empty, Loading, ShownName, TextField } from "@byleave/ui"
import { threadState } from "@byleave/ui/chat"
import { MessageSquareDashed, PencilLine, Trash2 } from "lucide-react"
import { type ReactNode, useState } from "react"
import { answerIn, type PanelBackend } from "./panel-client.ts"
import { PanelForm, useText } from "./panel-form.tsx"
import look from "./places.module.css"
import { ProblemNotice } from "./problem-notice.tsx"
import { useAct, useLive } from "./use-live.ts"

type ThreadsProps = {
  readonly backend: PanelBackend
  readonly openId: string | null
  readonly onOpen: (id: string) => void
  readonly onGone: (id: string) => void
}

export function Threads({ backend, openId, onOpen, onGone }: ThreadsProps): ReactNode {
  const [text, setText] = useState("")
  const threads = useLive(
    backend,
    async () =>
      (
        await answerIn(
          backend.client.listRuns({ query: { principal: "chat", limit: 100, ...(text === "" ? {} : { text }) } }),
        )
      ).items,
    { key: `threads ${text}`, isStale: ({ type }) => type === "agent-run.changed" },
  )
  return (
    <div className={look.place}>
      <h2>Threads</h2>
      <TextField label="Search threads" value={text} onChange={(event) => setText(event.currentTarget.value)} />
      {threads.state === "loading" && <Loading label="Loading the threads" />}
      {threads.state === "problem" && <ProblemNotice words={threads.words} />}
      {threads.state === "ready" && threads.value.length === 0 && (
        <Empty icon={<MessageSquareDashed />} title={text === "" ? "No threads yet" : "No thread has these words"}>
          {text === "" && <p>What you send first becomes one, and is kept here.</p>}
        </Empty>
      )}
      {threads.state === "ready" && threads.value.length > 0 && (
        <ul className={look.rows}>
          {threads.value.map((thread) => (
            <ThreadRow
              key={thread.id}
              backend={backend}
              thread={thread}
              isOpen={thread.id === openId}
              onOpen={() => onOpen(thread.id)}
              onGone={() => onGone(thread.id)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

type ThreadRowProps = {
  readonly backend: PanelBackend
  readonly thread: RunSummaryView
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onGone: () => void
}

function ThreadRow({ backend, thread, isOpen, onOpen, onGone }: ThreadRowProps): ReactNode {
  const [asking, setAsking] = useState<"delete" | "rename" | null>(null)
  const stop = (): void => setAsking(null)
  const remove = useAct(() => answerIn(backend.client.removeRun({ params: { id: thread.id } })))
  const state = threadState(thread)
  if (asking === "rename") return <RenameThread backend={backend} thread={thread} onDone={stop} />
  return (
    <li className={look.row}>
      <button type="button" className={look.open} aria-current={isOpen ? "true" : undefined} onClick={onOpen}>
        <span className="one-line">
          <ShownName text={thread.title} />
        </span>
        <span className={look.state} data-tone={state?.tone}>
          {state === null ? <Ago at={thread.updatedAt} /> : state.words}
        </span>
      </button>
      {asking === "delete" ? (
        <span className={look.asking}>
          <Button size="small" onClick={stop}>
            Keep
          </Button>
          <Button
            size="small"
            tone="no"
            busy={remove.isBusy && "Deleting…"}
            onClick={() => void remove.run().then((isDone) => isDone && onGone())}
          >
            Delete
          </Button>
        </span>
      ) : (
        <span className={look.asking}>
          <button
            type="button"
            className={look.icon}
            aria-label={`Rename ${showText(thread.title)}`}
            onClick={() => setAsking("rename")}
          >
            <PencilLine aria-hidden="true" />
          </button>
          <button
            type="button"
            className={look.icon}
            aria-label={`Delete ${showText(thread.title)}`}
            onClick={() => setAsking("delete")}
          >
            <Trash2 aria-hidden="true" />
          </button>
        </span>
      )}
      <ProblemNotice words={remove.problem} />
    </li>
  )
}

type RenameThreadProps = Pick<ThreadRowProps, "backend" | "thread"> & { readonly onDone: () => void }

function RenameThread({ backend, thread, onDone }: RenameThreadProps): ReactNode {
  const [title, field] = useText(thread.title)
  const rename = useAct(async () => {
    if (title.trim() === "") throw new Error("Enter a title.")
    await answerIn(backend.client.renameRun({ params: { id: thread.id }, body: { title: title.trim() } }))
    onDone()
  })
  return (
    <li className={look.row}>
      <PanelForm
        label="Rename this thread"
        problem={rename.problem}
        buttons={
          <>
            <Button size="small" onClick={onDone}>
              Cancel
            </Button>
            <Button size="small" tone="yes" busy={rename.isBusy && "Renaming…"} onClick={() => void rename.run()}>
              Rename
            </Button>
          </>
        }
      >
        <TextField label="Title" maxLength={200} {...field} />
      </PanelForm>
    </li>
  )
}
