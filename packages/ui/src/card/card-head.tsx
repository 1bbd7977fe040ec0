import type { ApprovalView, FileChange, ServerView, SessionView } from "@byleave/api"
import type { ReactNode } from "react"
import { Mark } from "../parts/mark.tsx"
import { ShownText } from "../parts/shown-text.tsx"
import { AskSentence } from "./ask-sentence.tsx"
import { accessWords, calledText, hintsOf } from "./ask-words.ts"
import look from "./card-head.module.css"
import { Sentence } from "./shown-value.tsx"

export type CardHeadProps = {
  readonly approval: ApprovalView
  readonly server: ServerView | null
  readonly session: SessionView | null
  readonly changes: readonly FileChange[]
  /** Byleave itself asks, about its own configuration. */
  readonly isOwn: boolean
  readonly id: string
}

/** Who asks for what, whether it can change things, and why a person is asked at all. */
export function CardHead({ approval, server, session, changes, isOwn, id }: CardHeadProps): ReactNode {
  return (
    <header className={look.head}>
      <p className={look.question}>
        {isOwn ? (
          "The configuration was edited, and part of the change needs a yes"
        ) : (
          <AskSentence approval={approval} session={session} changes={changes} />
        )}
      </p>
      <h2 id={id} className={look.tool} tabIndex={-1}>
        <ShownText text={calledText(approval)} />
      </h2>
      {!isOwn && approval.kind === "tool" && <Marks approval={approval} server={server} />}
      <p className={look.why}>
        <Sentence text={approval.why.charAt(0).toUpperCase() + approval.why.slice(1)} />
        {approval.rule !== null && !approval.why.includes(approval.rule) && (
          <span className={look.rule}>
            The rule: <code>{approval.rule}</code>
          </span>
        )}
      </p>
    </header>
  )
}

function Marks({ approval, server }: Pick<CardHeadProps, "approval" | "server">): ReactNode {
  return (
    <p className={look.marks}>
      <Mark tone={approval.access === "read" ? "know" : "wait"}>{accessWords(approval, server)}</Mark>
      {hintsOf(approval).map(({ words, isWarning }) => (
        <Mark key={words} tone={isWarning ? "no" : "plain"}>
          The server says {words}
        </Mark>
      ))}
    </p>
  )
}
