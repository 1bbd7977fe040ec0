import type { ServerView } from "@byleave/api"
import { Button, Choice, Dialog, LongField, Notice } from "@byleave/ui"
import { type ReactNode, useEffect, useRef } from "react"
import { ExplanationWords } from "./explanation-words.tsx"
import look from "./try-call-dialog.module.css"
import { type TriedTool, useTriedCall } from "./use-tried-call.ts"
import { WhoAsks } from "./who-asks.tsx"

type TryCallDialogProps = {
  readonly servers: readonly ServerView[]
  readonly first: TriedTool
  readonly onClose: () => void
}

/** Asks policy what it would say to a call. Nothing is called, and nothing is recorded. */
export function TryCallDialog({ servers, first, onClose }: TryCallDialogProps): ReactNode {
  const call = useTriedCall(servers, first)
  const { explained, keys } = call
  const answer = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (explained.value !== null) answer.current?.scrollIntoView({ block: "nearest" })
  }, [explained.value])
  const actions = (
    <>
      <Button onClick={onClose}>Close</Button>
      <Button busy={explained.isBusy && "Asking…"} onClick={() => void call.ask()}>
        Test call
      </Button>
    </>
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title="Test a call"
      lead="See how a call would be decided. Nothing is called or recorded."
      actions={actions}
    >
      <Choice
        label="Tool"
        value={String(call.at)}
        options={call.tools.map(({ server, tool }, place) => ({ value: String(place), label: `${server}(${tool})` }))}
        onChange={(event) => call.choose(Number(event.currentTarget.value))}
      />
      <div className={look.exact}>
        <LongField
          label="Arguments (JSON)"
          hint={keys.length === 0 ? "No known arguments." : `Known arguments: ${keys.join(", ")}`}
          error={call.problem}
          rows={Math.min(12, call.args.split("\n").length + 1)}
          spellCheck={false}
          value={call.args}
          onChange={(event) => call.write(event.currentTarget.value)}
        />
      </div>
      <WhoAsks who={call.who} known={call.sessions} onChange={call.askAs} />
      <div aria-live="polite" ref={answer}>
        {explained.problem !== null && <Notice tone="no">{explained.problem.detail}</Notice>}
        {explained.value !== null && <ExplanationWords explanation={explained.value} />}
      </div>
    </Dialog>
  )
}
