import type { ApprovalView } from "@byleave/api"
import { assertNever, type JsonValue } from "@byleave/core"
import { type ReactNode, useMemo, useState } from "react"
import { Button } from "../../parts/button.tsx"
import { Notice } from "../../parts/page.tsx"
import { Quoted } from "../../parts/quoted.tsx"
import { ShownText } from "../../parts/shown-text.tsx"
import { Ago } from "../../parts/time.tsx"
import type { CardActions } from "../../verdict/verdict.ts"
import { useSteps } from "../arguments/folds.ts"
import { MaskedJson } from "../arguments/masked-json.tsx"
import { LongText, Masked, MoreSteps, Sentence } from "../arguments/shown-value.tsx"
import { PutBack } from "../changes/put-back.tsx"
import { statusWords } from "../head/status-words.ts"
import { Section } from "../section.tsx"
import look from "./outcome.module.css"
import { type ResultBlock, type ResultPart, resultBlock, resultParts } from "./result-blocks.ts"
import { WaitingForAgent } from "./waiting-for-agent.tsx"

type OutcomeProps = {
  readonly approval: ApprovalView
  readonly actions: CardActions
  /** Why it cannot be run again yet, such as a secret nobody has looked at; null: it can. */
  readonly unseen: string | null
}

/** The outcome of a settled call; nothing while it waits. */
export function Outcome({ approval, actions, unseen }: OutcomeProps): ReactNode {
  const words = statusWords(approval)
  if (words === null) return null
  return (
    <Section title="What happened">
      <div className={look.outcome} data-outcome="">
        <p className={look.sentence}>
          <Sentence text={words.sentence} />{" "}
          <span className="soft">
            (<Ago at={words.at} />)
          </span>
        </p>
        <Reason approval={approval} />
        <Answer approval={approval} />
        <WaitingForAgent approval={approval} actions={actions} unseen={unseen} />
        <PutBack approval={approval} actions={actions} />
        <RunAgain approval={approval} actions={actions} unseen={unseen} />
      </div>
    </Section>
  )
}

function Reason({ approval }: { readonly approval: ApprovalView }): ReactNode {
  if (approval.status === "denied" && approval.by === null && approval.refusal.reason !== "") {
    return (
      <Quoted by="Reason">
        <Sentence text={approval.refusal.reason} />
      </Quoted>
    )
  }
  const said = approval.votes.filter(({ reason }) => reason !== undefined && reason !== "")
  return said.map((vote) => (
    <Quoted key={vote.reviewer} by={`${vote.reviewer} says`}>
      <ShownText text={vote.reason ?? ""} />
    </Quoted>
  ))
}

function Answer({ approval }: { readonly approval: ApprovalView }): ReactNode {
  if (approval.status === "succeeded") return <Given title="Result" by={approval.tool.server} value={approval.result} />
  return approval.status === "failed" ? <Given title="Error" by={approval.tool.server} value={approval.error} /> : null
}

type GivenProps = { readonly title: string; readonly by: string; readonly value: JsonValue }

function Given({ title, by, value }: GivenProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={look.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} from <ShownText text={by} />
      </summary>
      {isOpen && <ResultBlocks value={value} label={title} />}
    </details>
  )
}

const blocksAtFirst = 20
const blocksAtOnce = 50

type ResultBlocksProps = { readonly value: JsonValue; readonly label: string }

/** The blocks of a server's result: as many as a page can draw at once. */
export function ResultBlocks({ value, label }: ResultBlocksProps): ReactNode {
  const parts = useMemo(() => resultParts(value), [value])
  const steps = useSteps(parts.length, blocksAtFirst, blocksAtOnce)
  return (
    <div className={look.blocks}>
      {parts.length === 0 && <p className="soft">Empty.</p>}
      {parts.slice(0, steps.shown).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a result have no other name than their place
        <Block key={at} part={part} label={label} />
      ))}
      {steps.rest > 0 && (
        <div>
          <MoreSteps steps={steps} one="part" />
        </div>
      )}
    </div>
  )
}

function Block({ part, label }: { readonly part: ResultPart; readonly label: string }): ReactNode {
  const block = useMemo(() => resultBlock(part), [part])
  switch (block.kind) {
    case "text":
      return (
        <div className={look.text}>
          <Text block={block} label={label} />
        </div>
      )
    case "other":
      return (
        <p className="soft">
          {block.words}
          {block.detail !== null && (
            <>
              {" "}
              (<ShownText text={block.detail} />)
            </>
          )}
        </p>
      )
    case "json":
      return <MaskedJson value={block.value} label={label} />
    default:
      return assertNever(block)
  }
}

type TextProps = { readonly block: Extract<ResultBlock, { kind: "text" }>; readonly label: string }

function Text({ block: { text, isSecret }, label }: TextProps): ReactNode {
  const [isRevealed, setRevealed] = useState(false)
  if (isSecret && !isRevealed) {
    return (
      <>
        It appears to contain a secret. <Masked name={label} length={text.length} onReveal={() => setRevealed(true)} />
      </>
    )
  }
  return <LongText text={text} most={2_000} mostLines={40} />
}

/** A call whose outcome nobody knows, allowed once more. */
export function RunAgain({ approval, actions, unseen }: Parameters<typeof Outcome>[0]): ReactNode {
  if (approval.status !== "unknown") return null
  return (
    <Notice
      tone="wait"
      actions={
        <Button
          size="small"
          busy={actions.busyWith === "rerun" && "Allowing…"}
          disabled={unseen !== null}
          onClick={() => actions.onRerun(approval)}
        >
          Run again
        </Button>
      }
    >
      <p>
        The call may already have run. If you run it again, it may happen twice, so check its effects first. “Run again”
        allows the same call once more; it runs when the agent repeats it.
      </p>
      {unseen !== null && <p role="status">{unseen}</p>}
    </Notice>
  )
}
