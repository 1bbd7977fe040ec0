import type { RunView } from "@byleave/api"
import { Button, LongField } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import look from "./story-sheet.module.css"

/** Another message for a run that is over: it continues with everything it knows. */
export function MessageForm({ run }: { readonly run: RunView }): ReactNode {
  const [text, setText] = useState("")
  const send = useAct("continueRun")
  const message = text.trim()
  const finish = async (): Promise<void> => {
    if (message === "" || send.isBusy) return
    const reply = await send.act({ params: { id: run.id }, query: { wait: 0 }, body: { message } })
    if (reply.ok) setText("")
  }
  return (
    <form
      className={look.form}
      onSubmit={(event) => {
        event.preventDefault()
        void finish()
      }}
    >
      <LongField
        label="Send a message"
        hint="The run continues with it. Ctrl/Cmd + Enter sends."
        rows={3}
        maxLength={100_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void finish()
        }}
      />
      <ProblemNotice problem={send.problem} onClose={send.forget} />
      <div className={look.send}>
        <Button disabled={message === ""} busy={send.isBusy && "Sending…"} onClick={() => void finish()}>
          Send
        </Button>
      </div>
    </form>
  )
}
