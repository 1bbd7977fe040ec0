import type { ApprovalSummaryView, RunView } from "@byleave/api"
import { readCutJson } from "@byleave/api/page"
import { isObject, type JsonObject, previewOf, showText } from "@byleave/core"
import { ChevronRight } from "lucide-react"
import { type ReactNode, useId, useMemo, useState } from "react"
import { hiddenWords } from "../card/arguments/cut-text.ts"
import { MaskedJson } from "../card/arguments/masked-json.tsx"
import { Sentence } from "../card/arguments/shown-value.tsx"
import { statusWords } from "../card/head/status-words.ts"
import { Mark } from "../parts/mark.tsx"
import { ShownName } from "../parts/shown-text.tsx"
import { Ago } from "../parts/time.tsx"
import { followInPage } from "../plots/follow.ts"
import { callState } from "./call-state.ts"
import look from "./run-story.module.css"
import { HiddenText, StoryText, TheRest, ToolText } from "./story-text.tsx"
import type { StoryOutcome, TurnCall } from "./story-turns.ts"

export type StoryCallProps = {
  readonly call: TurnCall
  /** The approval that people were asked for; null: nobody was asked. */
  readonly approval: ApprovalSummaryView | null
  /** The tool as people know it: `files(write_file)`. */
  readonly name: string
  readonly status: RunView["status"]
  /** Goes to another page; absent: there is none to go to. */
  readonly onFollow?: ((href: string) => void) | undefined
  /** Marks a call that ran without anybody being asked. */
  readonly marksUnasked?: boolean
}

/** A call in one line, with its arguments and its outcome to unfold. Why it did not run is said at once. */
export function StoryCallLine(props: StoryCallProps): ReactNode {
  const { call, approval, name, status, onFollow, marksUnasked = false } = props
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  const state = callState(call, approval, status)
  const args = useMemo(() => argumentsIn(call.argsText), [call.argsText])
  const line = args === null ? hiddenWords(call.argsText.length) : previewLine(args)
  return (
    <li className={look.call} data-tone={state.tone}>
      <button
        type="button"
        className={look.callLine}
        aria-expanded={isOpen}
        aria-controls={details}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight aria-hidden="true" />
        <span className={look.called}>
          <code className={look.tool}>
            <ShownName text={name} />
          </code>{" "}
          <span className={`one-line ${look.args}`} title={showText(line.slice(0, 500))}>
            <ShownName text={line.slice(0, 300)} />
          </span>
        </span>
        {marksUnasked && ranUnasked(call, approval) ? (
          <span className={look.marks}>
            <Mark tone="know">Auto-approved</Mark>
            <Mark tone={state.tone}>{call.outcome?.kind === "result" ? "Ran" : state.words}</Mark>
          </span>
        ) : (
          <Mark tone={state.tone}>{state.words}</Mark>
        )}
      </button>
      <Decision approval={approval} onFollow={onFollow} />
      {isSaidAtOnce(call.outcome) && !isOpen && <Told outcome={call.outcome} name={name} />}
      {isOpen && (
        <div id={details} className={look.details}>
          <p className={look.detailsTitle}>Arguments</p>
          {args === null ? (
            <p className={look.exact}>
              <HiddenText text={call.argsText} isCut={call.isCut} name={name} why="This cannot be read as arguments." />
            </p>
          ) : (
            <>
              <MaskedJson value={args} label={`Arguments of ${showText(name)}`} />
              {call.isCut && <TheRest />}
            </>
          )}
          {call.outcome !== null && <Told outcome={call.outcome} name={name} />}
        </div>
      )}
    </li>
  )
}

function ranUnasked({ outcome }: TurnCall, approval: ApprovalSummaryView | null): boolean {
  return approval === null && outcome !== null && outcome.kind !== "refusal"
}

/** A failure is told at once; a result is folded. */
function isSaidAtOnce(outcome: StoryOutcome | null): outcome is StoryOutcome {
  return outcome !== null && outcome.kind !== "result" && outcome.text !== ""
}

/** Without their end where they are too long to be told whole. Null: the model wrote something else, and nothing says what of it is a secret. */
function argumentsIn(text: string): JsonObject | null {
  const value = readCutJson(text.trim() === "" ? "{}" : text)
  return value !== undefined && isObject(value) ? value : null
}

function previewLine(args: JsonObject): string {
  return previewOf(args)
    .map(({ name, text, isSecret }) => `${name}: ${isSecret ? "hidden" : text === "" ? "empty" : text}`)
    .join(" · ")
}

/** Who decided, and when; or the way to decide. */
function Decision({ approval, onFollow }: Pick<StoryCallProps, "approval" | "onFollow">): ReactNode {
  if (approval === null) return null
  const settled = statusWords(approval)
  const href =
    settled === null ? `/?open=${encodeURIComponent(approval.id)}` : `/activity/${encodeURIComponent(approval.id)}`
  return (
    <p className={look.decision}>
      {settled !== null && (
        <>
          <Sentence text={showText(settled.sentence.replace(/\.$/, ""))} /> {decidedAt(approval)}
          {"· "}
          <Ago at={settled.at} />
          {onFollow !== undefined && " · "}
        </>
      )}
      {onFollow !== undefined && (
        <a href={href} onClick={(event) => followInPage(event, href, onFollow)}>
          {settled === null ? "Review and decide" : "Show the call"}
        </a>
      )}
    </p>
  )
}

const faceWords = {
  inbox: "in the inbox",
  chat: "in the chat",
  "side-panel": "in the side panel",
  terminal: "in the terminal",
} as const satisfies Record<NonNullable<ApprovalSummaryView["votes"][number]["face"]>, string>

/** Where the last of those who decided was, as the program they used says. */
function decidedAt({ votes }: ApprovalSummaryView): string {
  const face = votes.at(-1)?.face
  return face === undefined ? "" : `· ${faceWords[face]} `
}

const toldBy = {
  result: "Result",
  error: "Error",
  unknown: "The model was told",
  refusal: "The model was told",
} as const satisfies Record<StoryOutcome["kind"], string>

function Told({ outcome, name }: { readonly outcome: StoryOutcome; readonly name: string }): ReactNode {
  return (
    <figure className={look.said} data-by="server">
      <figcaption className="aside">{toldBy[outcome.kind]}</figcaption>
      <blockquote className={look.exact}>
        {outcome.kind === "result" || outcome.kind === "error" ? (
          <ToolText text={outcome.text} isCut={outcome.isCut} name={name} />
        ) : (
          <StoryText text={outcome.text} isCut={outcome.isCut} />
        )}
      </blockquote>
    </figure>
  )
}
