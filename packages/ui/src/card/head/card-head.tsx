import type { ApprovalView, FileChange, SessionView } from "@byleave/api"
import { type ReactNode, useState } from "react"
import { Mark } from "../../parts/mark.tsx"
import { ShownName } from "../../parts/shown-text.tsx"
import { capitalized } from "../../words/capitalized.ts"
import { cutText, moreOf } from "../arguments/cut-text.ts"
import { LongName, More, Sentence } from "../arguments/shown-value.tsx"
import { AskSentence } from "./ask-sentence.tsx"
import { accessSaid, calledText, hintsOf } from "./ask-words.ts"
import look from "./card-head.module.css"

export type CardHeadProps = {
  readonly approval: ApprovalView
  readonly session: SessionView | null
  readonly changes: readonly FileChange[]
  /** Byleave itself asks, about its own configuration. */
  readonly isOwn: boolean
  readonly id: string
}

/** Who asks for what, whether it can change things, and why a person is asked at all. */
export function CardHead({ approval, session, changes, isOwn, id }: CardHeadProps): ReactNode {
  return (
    <header className={look.head}>
      <p className={look.question}>
        {isOwn ? (
          "The configuration was edited, and part of the change needs approval"
        ) : (
          <AskSentence approval={approval} session={session} changes={changes} />
        )}
      </p>
      <ToolName called={calledText(approval)} id={id} />
      {!isOwn && approval.kind === "tool" && <Marks approval={approval} />}
      <p className="soft">
        <Why text={capitalized(approval.why)} />
        {approval.rule !== null && !approval.why.includes(approval.rule) && (
          <span className={look.rule}>
            Rule: <code>{approval.rule}</code>
          </span>
        )}
      </p>
    </header>
  )
}

/** A name that is long beyond use leaves room for the rest of the card. */
function ToolName({ called, id }: { readonly called: string; readonly id: string }): ReactNode {
  return (
    <h2 id={id} className={look.tool} data-long={called.length > longName} tabIndex={-1}>
      {called.length > longName ? (
        <LongName text={called} most={longName} />
      ) : (
        <ShownName text={called} isTight={true} />
      )}
    </h2>
  )
}

const longName = 120

/** In it stands the tool's name, however long. */
function Why({ text }: { readonly text: string }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const { shown, hidden } = cutText(text, 2 * longName, 6)
  if (hidden === 0) return <Sentence text={text} />
  return (
    <>
      <Sentence text={isWhole ? text : `${shown}…`} />{" "}
      <More isOpen={isWhole} words={moreOf(hidden, "character")} onToggle={() => setWhole(!isWhole)} />
    </>
  )
}

function Marks({ approval }: Pick<CardHeadProps, "approval">): ReactNode {
  const access = accessSaid(approval)
  return (
    <p className={look.marks}>
      <Mark tone={access.tone}>{access.words}</Mark>
      {hintsOf(approval).map(({ words, isWarning }) => (
        <Mark key={words} tone={isWarning ? "no" : "plain"}>
          Server says: {words}
        </Mark>
      ))}
    </p>
  )
}
