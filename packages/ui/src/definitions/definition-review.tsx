/**
 * A definition that waits for an answer.
 *
 * I1. No answer can be given before the difference, or all of a new definition, is open, and no yes while a part of it is collapsed.
 *     Give it `asDisplayed` as its key: what changes closes again.
 */
import type { PinView } from "@byleave/api"
import { shownName } from "@byleave/core"
import { Fragment, type ReactNode, useEffect, useState } from "react"
import { FoldsContext, useFolds } from "../card/arguments/folds.ts"
import { LongText } from "../card/arguments/shown-value.tsx"
import { DefinitionWarnings } from "../card/head/definition-warnings.tsx"
import { Button } from "../parts/button.tsx"
import { Mark } from "../parts/mark.tsx"
import { Quoted } from "../parts/quoted.tsx"
import { ShownName, ShownText } from "../parts/shown-text.tsx"
import { TheirName } from "../parts/their-words.tsx"
import { Ago } from "../parts/time.tsx"
import {
  argumentsOf,
  type DefinitionChange,
  definitionGroups,
  differenceSummary,
  type PlaceStep,
} from "./definition-groups.ts"
import look from "./definition-review.module.css"
import { pinWords } from "./pin-words.ts"

/** The answers that a person can give to a definition. */
export type PinAct = "accept" | "reject" | "quarantine" | "lift"

type DefinitionReviewProps = {
  /** As `asShown` of @byleave/api makes it, and not as it came. */
  readonly pin: PinView
  /** The answers that can be given here. */
  readonly offers?: readonly PinAct[]
  readonly busyWith: PinAct | null
  /** One is being answered, this or another. */
  readonly isBarred: boolean
  /** It is open, and nothing of it is collapsed. */
  readonly onLook?: () => void
  readonly onAct: (act: PinAct) => void
}

const allActs: readonly PinAct[] = ["accept", "reject", "quarantine", "lift"]

/** One definition. The answers stand below what they are about, and are there only once that is open. */
export function DefinitionReview({ pin, onLook, offers = allActs, ...answers }: DefinitionReviewProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <details className={look.definition} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
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
        {isOpen && <Opened pin={pin} offers={offers} onLook={onLook} {...answers} />}
      </details>
    </li>
  )
}

type OpenedProps = Omit<AnswersProps, "isWhole"> & { readonly onLook: (() => void) | undefined }

function Opened({ pin, onLook, ...answers }: OpenedProps): ReactNode {
  const { folds, closed, openAll, openWords } = useFolds()
  const [isDrawn, setDrawn] = useState(false)
  // Folds tell that they are closed after they were drawn.
  useEffect(() => setDrawn(true), [])
  const isWhole = isDrawn && closed === 0
  useEffect(() => {
    if (isWhole) onLook?.()
  }, [isWhole, onLook])
  return (
    <div className={look.body}>
      <Answered pin={pin} />
      <DefinitionWarnings flags={pin.flags} definition={pin.proposed?.whole ?? null} />
      <FoldsContext value={folds}>
        {pin.proposed !== null && (pin.accepted === null ? <NewTool pin={pin} /> : <ChangedTool pin={pin} />)}
      </FoldsContext>
      {closed > 0 && (
        <p>
          Some of it is collapsed. Expand it before you accept it.{" "}
          <Button size="small" onClick={openAll}>
            {openWords}
          </Button>
        </p>
      )}
      <Answers pin={pin} {...answers} isWhole={isWhole} />
    </div>
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

type AnswersProps = Required<Omit<DefinitionReviewProps, "onLook">> & {
  /** Nothing of it is collapsed. */
  readonly isWhole: boolean
}

function Answers({ pin, offers, busyWith, isBarred, isWhole, onAct }: AnswersProps): ReactNode {
  const name = pin.of === "server" ? "the instructions" : <TheirName text={pin.tool} />
  const button = (act: PinAct, tone: "yes" | "no" | "plain", busy: string, words: ReactNode): ReactNode =>
    offers.includes(act) && (
      <Button
        tone={tone}
        disabled={isBarred || (act === "accept" && !isWhole)}
        busy={busyWith === act && busy}
        onClick={() => onAct(act)}
      >
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
          Accept: agents see this definition, and rules and permissions apply to it again.{" "}
          {offers.includes("reject") && "Reject: calls are denied until the server restores the accepted definition. "}
          {offers.includes("quarantine") && "Quarantine: the tool is hidden from agents until you lift it. "}
          {offers.length === 1 ? "This runs no call." : "None of these runs a call."}
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
          <Place steps={change.place} />
        </code>{" "}
        <span className="aside">{change.kind}</span>
      </p>
      {change.before !== null && <Side name="Before" tone="no" text={change.before} />}
      {change.after !== null && <Side name="Now" tone="yes" text={change.after} />}
    </li>
  )
}

/** Names in full: a name alone can be all that was added. */
function Place({ steps }: { readonly steps: readonly PlaceStep[] }): ReactNode {
  return steps.map(({ ours, name }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name than their place
    <Fragment key={at}>
      {at > 0 && " › "}
      {ours}
      {ours !== undefined && name !== undefined && " "}
      {name !== undefined && <TheirName text={name} most={Number.POSITIVE_INFINITY} />}
    </Fragment>
  ))
}

type SideProps = { readonly name: string; readonly tone: "yes" | "no"; readonly text: string }

function Side({ name, tone, text }: SideProps): ReactNode {
  return (
    <div className={look.side} data-tone={tone}>
      <span className={look.sideName}>{name}</span>
      <div className={look.sideText}>
        <WholeText text={text} />
      </div>
    </div>
  )
}

/** Text of a server, however long: what is collapsed of it has to be expanded before it can be accepted. */
function WholeText({ text }: { readonly text: string }): ReactNode {
  return <LongText text={text} most={8_000} mostLines={200} />
}

function NewTool({ pin }: { readonly pin: PinView }): ReactNode {
  const definition = pin.proposed?.definition
  if (definition === undefined) return null
  const takes = argumentsOf(definition.inputSchema)
  return (
    <>
      <Quoted by={`${shownName(pin.server)} describes ${shownName(pin.tool)} as`}>
        <WholeText text={definition.description ?? "Nothing."} />
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
                    <WholeText text={argument.description} />
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
      <section className={look.group}>
        <h4>Full definition</h4>
        <div className={look.sideText}>
          <WholeText text={JSON.stringify(pin.proposed?.whole, null, 2)} />
        </div>
      </section>
    </>
  )
}
