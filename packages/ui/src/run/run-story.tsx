import type { ApprovalSummaryView, RunView } from "@byleave/api"
import type { ReactNode } from "react"
import { countOf } from "../card/arguments/cut-text.ts"
import { useSteps } from "../card/arguments/folds.ts"
import { MoreSteps } from "../card/arguments/shown-value.tsx"
import { calledText } from "../card/head/ask-words.ts"
import { ShownName } from "../parts/shown-text.tsx"
import { exactTime } from "../words/time-words.ts"
import { InSteps } from "./in-steps.tsx"
import look from "./run-story.module.css"
import { tokensInWords } from "./run-words.ts"
import { StoryCallLine } from "./story-call.tsx"
import { StoryText } from "./story-text.tsx"
import type { StoryMessage, StoryStep, StoryTurn } from "./story-turns.ts"

export type RunStoryProps = {
  readonly run: Pick<RunView, "status" | "model" | "startedBy">
  readonly turns: readonly StoryTurn[]
  /** Approvals by the model's id of the call. */
  readonly approvals: ReadonlyMap<string, ApprovalSummaryView>
  /** A tool as people know it, by the name the model calls it by. */
  readonly toolNames: ReadonlyMap<string, string>
  readonly onFollow: (href: string) => void
}

const newest = 40
/** Of each step. */
const callsAtFirst = 20

/** The story of a run: the task first, then the newest turns; those between open on request. */
export function RunStory({ turns, ...props }: RunStoryProps): ReactNode {
  const steps = useSteps(Math.max(0, turns.length - 1), newest, newest)
  const [first] = turns
  if (first === undefined) return null
  const later = steps.shown === 0 ? [] : turns.slice(-steps.shown)
  return (
    <ol className={look.story}>
      <Turn turn={first} {...props} />
      {steps.rest > 0 && (
        <li className={look.between}>
          <MoreSteps steps={steps} one="earlier turn" />
        </li>
      )}
      {later.map((turn) => (
        <Turn key={turn.key} turn={turn} {...props} />
      ))}
      {props.run.status === "running" && !isUnderWay(turns.at(-1)) && <AtWork />}
    </ol>
  )
}

/** A step that has not ended says itself that something goes on. */
function isUnderWay(last: StoryTurn | undefined): boolean {
  return last?.kind === "step" && last.at === null && last.usage === null
}

function AtWork(): ReactNode {
  return (
    <li className={look.turn} data-by="model" data-live="true">
      <p className="aside">Working…</p>
    </li>
  )
}

type TurnProps<Turn> = Omit<RunStoryProps, "turns"> & { readonly turn: Turn }

function Turn({ turn, ...props }: TurnProps<StoryTurn>): ReactNode {
  return turn.kind === "message" ? <Message turn={turn} {...props} /> : <Step turn={turn} {...props} />
}

function Message({ turn, run }: TurnProps<StoryMessage>): ReactNode {
  const isPerson = turn.role === "user"
  return (
    <li className={look.turn} data-by={isPerson ? "person" : "model"}>
      <figure className={look.said} data-by={isPerson ? "person" : "model"}>
        <figcaption className={look.by}>
          <span>
            <Speaker role={turn.role} run={run} />
          </span>
          <Clock at={turn.at} />
        </figcaption>
        <blockquote className={isPerson ? look.task : look.words}>
          <StoryText text={turn.text} isCut={turn.isCut} />
        </blockquote>
      </figure>
    </li>
  )
}

/** Whoever started the run speaks for the user, whoever typed it. */
function Speaker({
  role,
  run,
}: {
  readonly role: StoryMessage["role"]
  readonly run: RunStoryProps["run"]
}): ReactNode {
  if (role === "assistant") return <ShownName text={run.model} />
  if (role === "user") return "User"
  return role === "tool" ? "Tool" : "Instructions"
}

function Step({ turn, run, approvals, toolNames, onFollow }: TurnProps<StoryStep>): ReactNode {
  const isLive = turn.at === null
  const isSilent = turn.text === "" && turn.calls.length === 0
  return (
    <li className={look.turn} data-by="model" data-live={isLive}>
      <div className={look.said} data-by="model">
        <p className={look.by}>
          <ShownName text={run.model} />
          {turn.at === null ? <span className={look.when}>now</span> : <Clock at={turn.at} />}
          {turn.usage !== null && turn.usage.total > 0 && (
            <span className={look.tokens}>{tokensInWords(turn.usage.total)}</span>
          )}
        </p>
        {turn.reasoning !== "" && (
          <details className={look.reasoning}>
            <summary>
              Reasoning, {turn.isReasoningCut && "more than "}
              {countOf(turn.reasoning.length, "character")}
            </summary>
            <blockquote className={look.thoughts}>
              <StoryText text={turn.reasoning} isCut={turn.isReasoningCut} isLive={isLive} />
            </blockquote>
          </details>
        )}
        {turn.text !== "" && (
          <blockquote className={look.words}>
            <StoryText text={turn.text} isCut={turn.isCut} isLive={isLive} />
          </blockquote>
        )}
        {isSilent && <p className="aside">{isLive ? "Working…" : "It said nothing."}</p>}
      </div>
      {turn.calls.length > 0 && (
        <ul className={look.calls} aria-label="Calls">
          <InSteps items={turn.calls} one="call" first={callsAtFirst}>
            {(call) => {
              const approval = approvals.get(call.toolCall) ?? null
              const name = approval === null ? (toolNames.get(call.name) ?? call.name) : calledText(approval)
              return (
                <StoryCallLine
                  key={call.toolCall}
                  call={call}
                  approval={approval}
                  name={name}
                  status={run.status}
                  onFollow={onFollow}
                />
              )
            }}
          </InSteps>
        </ul>
      )}
    </li>
  )
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })

function Clock({ at }: { readonly at: number }): ReactNode {
  return (
    <time className={look.when} dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {clock.format(at)}
    </time>
  )
}
