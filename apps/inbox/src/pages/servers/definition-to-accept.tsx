import type { PinView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Ago, Button, DefinitionWarnings, Mark, Quoted, ShownName, ShownText } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { argumentsOf, type DefinitionChange, definitionGroups, differenceSummary } from "./definition-groups.ts"
import look from "./definition-to-accept.module.css"
import { pinWords } from "./tool-words.ts"

/** The answers that a person can give to a definition. */
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
          <Mark tone={pinWords[pin.state].tone}>{pinWords[pin.state].word}</Mark>
          {pin.flags.length > 0 && <Mark tone="no">Check before accepting</Mark>}
          <span className="aside">
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
            <DefinitionWarnings flags={pin.flags} definition={pin.proposed?.whole ?? null} />
            {pin.proposed !== null && (pin.accepted === null ? <NewTool pin={pin} /> : <ChangedTool pin={pin} />)}
            <Answers pin={pin} {...answers} />
          </div>
        )}
      </details>
    </li>
  )
}

function PinName({ pin }: { readonly pin: PinView }): ReactNode {
  if (pin.of === "server") return <span className={look.tool}>Server instructions</span>
  return (
    <code className={look.tool}>
      <ShownName text={pin.tool} />
    </code>
  )
}

function Answered({ pin: { quarantined, proposed } }: { readonly pin: PinView }): ReactNode {
  const answer = quarantined ?? proposed?.rejected ?? null
  if (answer === null) return null
  return (
    <p>
      <ShownText text={answer.by} /> {quarantined === null ? "rejected this" : "quarantined this"}{" "}
      <Ago at={answer.at} />.{" "}
      {quarantined === null
        ? "Calls are denied until the server restores the accepted definition or somebody accepts this one."
        : "It is hidden from agents and calls are denied until the quarantine is lifted."}
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
          ? button("lift", "plain", "Lifting…", <>Lift quarantine</>)
          : pin.of === "tool" && button("quarantine", "plain", "Quarantining…", <>Quarantine</>)}
      </div>
      {isOpen && (
        <p className="aside">
          Accept: agents see this definition, and rules and permissions apply to it again. Reject: calls are denied
          until the server restores the accepted definition. Quarantine: the tool is hidden from agents until you lift
          it. None of these runs a call.
        </p>
      )}
    </>
  )
}

function ChangedTool({ pin }: { readonly pin: PinView }): ReactNode {
  return definitionGroups(pin.differences).map((group) => (
    <section key={group.matters} className={look.group}>
      <h4>{group.title}</h4>
      <p className="aside">{group.why}</p>
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
        <span className="aside">{change.kind}</span>
      </p>
      {change.before !== null && <Side name="Before" tone="no" text={change.before} />}
      {change.after !== null && <Side name="Now" tone="yes" text={change.after} />}
    </li>
  )
}

type SideProps = { readonly name: string; readonly tone: "yes" | "no"; readonly text: string }

function Side({ name, tone, text }: SideProps): ReactNode {
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
      <Quoted by={`${showText(pin.server)} describes ${showText(pin.tool)} as`}>
        <ShownText text={definition.description ?? "Nothing."} />
      </Quoted>
      <section className={look.group}>
        <h4>Arguments</h4>
        {takes.length === 0 ? (
          <p className="aside">No arguments.</p>
        ) : (
          <ul className={look.changes}>
            {takes.map((argument) => (
              <li key={argument.name} className={look.change}>
                <p>
                  <code>
                    <ShownName text={argument.name} />
                  </code>{" "}
                  <span className="aside">
                    <ShownText text={argument.type} />
                    {argument.required ? ", required" : ""}
                  </span>
                </p>
                {argument.description !== null && (
                  <p className="aside">
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
          <h4>Behavior hints</h4>
          <Side name="Hints" tone="yes" text={JSON.stringify(definition.annotations, null, 2)} />
        </section>
      )}
      <details>
        <summary>Full definition</summary>
        <div className={look.sideText}>
          <ShownText text={JSON.stringify(pin.proposed?.whole, null, 2)} />
        </div>
      </details>
    </>
  )
}
