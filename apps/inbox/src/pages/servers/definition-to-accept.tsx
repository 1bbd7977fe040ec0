import type { PinView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Ago, Button, DefinitionWarnings, Mark, Quoted, ShownName, ShownText, type Tone } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { argumentsOf, type DefinitionChange, definitionGroups, differenceSummary } from "./definition-groups.ts"
import look from "./definition-to-accept.module.css"

/** What a person can answer about a definition. */
export type PinAct = "accept" | "reject" | "quarantine" | "lift"

type DefinitionToAcceptProps = {
  readonly pin: PinView
  readonly busyWith: PinAct | null
  /** One is being answered, this or another. */
  readonly isBarred: boolean
  readonly onLook: () => void
  readonly onAct: (act: PinAct) => void
}

/** One definition. The answers stand below what they are about, and are there only once that is open. */
export function DefinitionToAccept({ pin, onLook, ...answers }: DefinitionToAcceptProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const turn = (open: boolean): void => {
    setOpen(open)
    if (open) onLook()
  }
  return (
    <li>
      <details className={look.definition} open={isOpen} onToggle={(event) => turn(event.currentTarget.open)}>
        <summary className={look.head}>
          <PinName pin={pin} />
          <Mark tone={marks[pin.state].tone}>{marks[pin.state].word}</Mark>
          {pin.flags.length > 0 && <Mark tone="no">Look twice</Mark>}
          <span className={look.soft}>
            {differenceSummary(pin)}
            {pin.proposed !== null && (
              <>
                {" · seen "}
                <Ago at={pin.proposed.seenAt} />
              </>
            )}
          </span>
        </summary>
        {isOpen && (
          <div className={look.body} key={pin.proposed?.fingerprint}>
            <Answered pin={pin} />
            <DefinitionWarnings flags={pin.flags} />
            {pin.proposed !== null && (pin.accepted === null ? <NewTool pin={pin} /> : <ChangedTool pin={pin} />)}
            <Answers pin={pin} {...answers} />
          </div>
        )}
      </details>
    </li>
  )
}

function PinName({ pin }: { readonly pin: PinView }): ReactNode {
  if (pin.of === "server") return <span className={look.tool}>Instructions to every agent</span>
  return (
    <code className={look.tool}>
      <ShownName text={pin.tool} />
    </code>
  )
}

const marks = {
  accepted: { word: "Accepted", tone: "plain" },
  changed: { word: "Changed", tone: "wait" },
  new: { word: "New", tone: "wait" },
  rejected: { word: "Rejected", tone: "no" },
  quarantined: { word: "In quarantine", tone: "no" },
  unpinned: { word: "Not pinned", tone: "plain" },
} as const satisfies Record<PinView["state"], { readonly word: string; readonly tone: Tone }>

function Answered({ pin: { quarantined, proposed } }: { readonly pin: PinView }): ReactNode {
  const answer = quarantined ?? proposed?.rejected ?? null
  if (answer === null) return null
  return (
    <p>
      <ShownText text={answer.by} /> {quarantined === null ? "rejected this" : "put this in quarantine"}{" "}
      <Ago at={answer.at} />.{" "}
      {quarantined === null
        ? "Calls are refused until the server offers what was accepted, or somebody accepts this."
        : "Agents do not see it, and calls are refused, until somebody lifts that."}
    </p>
  )
}

type AnswersProps = Pick<DefinitionToAcceptProps, "pin" | "busyWith" | "isBarred" | "onAct">

function Answers({ pin, busyWith, isBarred, onAct }: AnswersProps): ReactNode {
  const name = pin.of === "server" ? "the instructions" : <ShownName text={pin.tool} />
  const button = (act: PinAct, tone: "yes" | "no" | "plain", busy: string, words: ReactNode): ReactNode => (
    <Button tone={tone} disabled={isBarred} busy={busyWith === act && busy} onClick={() => onAct(act)}>
      <span>{words}</span>
    </Button>
  )
  const isQuarantined = pin.quarantined !== null
  const isOpen = pin.proposed !== null && !isQuarantined
  return (
    <>
      <div className={look.accept}>
        {isOpen && button("accept", "yes", "Accepting…", <>Accept {name} as shown</>)}
        {isOpen && pin.proposed?.rejected === null && button("reject", "no", "Rejecting…", <>Reject</>)}
        {isQuarantined
          ? button("lift", "plain", "Lifting…", <>Lift the quarantine</>)
          : pin.of === "tool" && button("quarantine", "plain", "Putting it in quarantine…", <>Quarantine</>)}
      </div>
      {isOpen && (
        <p className={look.soft}>
          Accept: agents are told this, and rules and remembered answers hold for it again. Reject: calls are refused
          until the server offers what was accepted. Quarantine: agents no longer see it until somebody lifts that. No
          call runs by any of them alone.
        </p>
      )}
    </>
  )
}

function ChangedTool({ pin }: { readonly pin: PinView }): ReactNode {
  return definitionGroups(pin.differences).map((group) => (
    <section key={group.matters} className={look.group}>
      <h4>{group.title}</h4>
      <p className={look.soft}>{group.why}</p>
      <ul className={look.changes}>
        {group.changes.map((change) => (
          <Change key={`${change.kind} ${change.path}`} change={change} />
        ))}
      </ul>
    </section>
  ))
}

function Change({ change }: { readonly change: DefinitionChange }): ReactNode {
  return (
    <li className={look.change}>
      <p>
        <code>
          <ShownText text={change.place} />
        </code>{" "}
        <span className={look.soft}>{change.kind}</span>
      </p>
      {change.before !== null && <Side name="Before" tone="no" text={change.before} />}
      {change.after !== null && <Side name="Now" tone="yes" text={change.after} />}
    </li>
  )
}

function Side({
  name,
  tone,
  text,
}: {
  readonly name: string
  readonly tone: "yes" | "no"
  readonly text: string
}): ReactNode {
  return (
    <div className={look.side} data-tone={tone}>
      <span className={look.sideName}>{name}</span>
      <div className={look.sideText}>
        <ShownText text={text} />
      </div>
    </div>
  )
}

function NewTool({ pin }: { readonly pin: PinView }): ReactNode {
  const definition = pin.proposed?.definition
  if (definition === undefined) return null
  const takes = argumentsOf(definition.inputSchema)
  return (
    <>
      <Quoted by={`${showText(pin.server)} says of ${showText(pin.tool)}`}>
        <ShownText text={definition.description ?? "Nothing."} />
      </Quoted>
      <section className={look.group}>
        <h4>What it takes</h4>
        {takes.length === 0 ? (
          <p className={look.soft}>It names no arguments.</p>
        ) : (
          <ul className={look.changes}>
            {takes.map((argument) => (
              <li key={argument.name} className={look.change}>
                <p>
                  <code>
                    <ShownName text={argument.name} />
                  </code>{" "}
                  <span className={look.soft}>
                    <ShownText text={argument.type} />
                    {argument.required ? ", required" : ""}
                  </span>
                </p>
                {argument.description !== null && (
                  <p className={look.soft}>
                    <ShownText text={argument.description} />
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
      {definition.annotations !== null && (
        <section className={look.group}>
          <h4>What it says it does</h4>
          <Side name="Hints" tone="yes" text={JSON.stringify(definition.annotations, null, 2)} />
        </section>
      )}
      <details>
        <summary>Everything it says of itself</summary>
        <div className={look.sideText}>
          <ShownText text={JSON.stringify(pin.proposed?.whole, null, 2)} />
        </div>
      </details>
    </>
  )
}
