import type { SessionView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Button, Left, ShownName, useNow } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { Check, FileDiff, Pencil, X } from "lucide-react"
import { type FormEvent, type ReactNode, useState } from "react"
import type { WaitingCall } from "../../../data/live/waiting-table.ts"
import { useAct } from "../../../data/use-act.ts"
import look from "./call-list.module.css"
import { changesFiles } from "./changes-files.ts"
import { soonestEnd } from "./group-calls.ts"
import { urgencyOf } from "./urgency.ts"

type SessionLineProps = {
  readonly calls: readonly WaitingCall[]
  readonly session: SessionView | undefined
  readonly name: string
  /** Folds its calls. */
  readonly fold: ReactNode
}

/** A session's name above its calls; a person can give it another in place. */
export function SessionLine({ calls, session, name, fold }: SessionLineProps): ReactNode {
  const [isNaming, setNaming] = useState(false)
  const now = useNow(15_000)
  const [first] = calls
  if (first === undefined) return null
  if (isNaming) return <NameForm call={first} name={session?.label ?? ""} onDone={() => setNaming(false)} />
  const end = soonestEnd(calls)
  const isUrgent = urgencyOf(end, now) !== "none"
  const changes = calls.filter(changesFiles).length
  return (
    <div className={look.sessionLine}>
      <div className={look.session}>
        {fold}
        <h2 className={look.sessionName}>
          <Link to="/sessions/$id" params={{ id: first.sessionKey }} title={showText(name)}>
            <ShownName text={name} />
          </Link>
        </h2>
        <span className={look.sessionFacts}>
          {calls.length} {calls.length === 1 ? "call" : "calls"}
          {end !== null && isUrgent && (
            <strong className={look.urgent}>
              {", first "}
              <Left until={end} />
            </strong>
          )}
        </span>
        <button
          type="button"
          className={look.small}
          aria-label={`Rename session ${showText(name)}`}
          onClick={() => setNaming(true)}
        >
          <Pencil aria-hidden="true" />
        </button>
      </div>
      {changes > 1 && (
        <Link
          className={look.review}
          to="/review/$session"
          params={{ session: first.sessionKey }}
          aria-label={`Review ${changes} changes of ${showText(name)}`}
        >
          <FileDiff aria-hidden="true" />
          Review {changes} changes
        </Link>
      )}
    </div>
  )
}

type NameFormProps = { readonly call: WaitingCall; readonly name: string; readonly onDone: () => void }

function NameForm({ call, name, onDone }: NameFormProps): ReactNode {
  const naming = useAct("nameSession")
  const [label, setLabel] = useState(name)
  const { principal, id } = call.session
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const words = label.trim()
    const reply = await naming.act({ body: { principal, id, label: words === "" ? null : words } })
    if (reply.ok) onDone()
  }
  return (
    <form className={look.naming} onSubmit={(event) => void save(event)}>
      <input
        aria-label="Session name (empty for the default)"
        maxLength={120}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here
        autoFocus
        value={label}
        onChange={(event) => setLabel(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return
          // It is this field's alone: the open card stays.
          event.preventDefault()
          onDone()
        }}
      />
      <button type="submit" className={look.small} aria-label="Save name" disabled={naming.isBusy}>
        <Check aria-hidden="true" />
      </button>
      <Button size="small" tone="quiet" aria-label="Cancel" icon={<X />} onClick={onDone} />
      {naming.problem !== null && <p role="alert">{naming.problem.detail}</p>}
    </form>
  )
}
