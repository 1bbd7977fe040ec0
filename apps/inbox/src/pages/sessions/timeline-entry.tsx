import type { CallView } from "@byleave/api"
import { Button, Mark, PastChanges, Quoted, Sentence, ShownName, ShownText } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { ChevronDown, ChevronRight } from "lucide-react"
import { memo, type ReactNode, useId, useState } from "react"
import { useRead } from "../../data/use-read.ts"
import { toolText } from "../activity/call-list.tsx"
import { argsLine, decisionWords, outcomeWords, tookInWords } from "../activity/call-words.ts"
import { clockTime } from "../activity/merge-newest.ts"
import { beginning } from "../audit/record-words.ts"
import { SentenceText } from "../audit/sentence.tsx"
import { Reading } from "../places/reading.tsx"
import look from "./session-timeline.module.css"
import { answerSentence, timelineTone } from "./timeline-words.ts"

/** One call on the time line: what was called, why it ran or did not, who said so, and what the server answered to it. */
export const TimelineEntry = memo(function TimelineEntry({ call }: { readonly call: CallView }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  const outcome = outcomeWords(call)
  const args = argsLine(call)
  return (
    <li className={look.entry} data-tone={timelineTone(call)}>
      <time className={look.time} dateTime={new Date(call.at).toISOString()}>
        {clockTime(call.at)}
      </time>
      <div className={look.told}>
        <p className={look.head}>
          <Link className={look.tool} to="/activity/$id" params={{ id: call.id }}>
            <ShownName text={toolText(call)} />
          </Link>
          <span className={look.outcome}>
            {call.tookMs !== null && <span className={look.soft}>{tookInWords(call.tookMs)}</span>}
            <Mark tone={outcome.tone}>{outcome.words}</Mark>
          </span>
        </p>
        {args !== "" && (
          <p className={look.args}>
            <ShownName text={args} />
          </p>
        )}
        <Decision call={call} />
        {call.failure !== null && (
          <Quoted by={`${call.tool.server} answered`}>
            <ShownText text={call.failure} />
          </Quoted>
        )}
        <p className={look.actions}>
          {call.argsBytes !== null && (
            <Button
              size="small"
              tone="quiet"
              icon={isOpen ? <ChevronDown /> : <ChevronRight />}
              aria-expanded={isOpen}
              aria-controls={details}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? "Hide details" : "Show details"}
            </Button>
          )}
          {call.outcome === "waiting" && call.answer === "none" && (
            <Link to="/" search={{ open: call.id } as never}>
              Review and answer
            </Link>
          )}
        </p>
        {isOpen && (
          <div id={details} className={look.details}>
            <Details call={call} />
          </div>
        )}
      </div>
    </li>
  )
})

function Decision({ call }: { readonly call: CallView }): ReactNode {
  const answer = answerSentence(call)
  return (
    <>
      <p className={look.decision}>
        <span className={look.soft}>{decisionWords(call).words}:</span> <Sentence text={beginning(call.why)} />
        {call.rule !== null && !call.why.includes(call.rule) && (
          <code className={look.rule}>
            <Sentence text={call.rule} />
          </code>
        )}
      </p>
      {answer !== null && (
        <p className={look.decision}>
          <SentenceText sentence={answer} />
        </p>
      )}
      {call.reason !== null && call.decidedBy !== null && (
        <Quoted by={`${call.decidedBy} said`}>
          <ShownText text={call.reason} />
        </Quoted>
      )}
    </>
  )
}

/** The arguments, read when somebody wants to see them: a difference where they change a file. */
function Details({ call: { id, tool, outcome } }: { readonly call: CallView }): ReactNode {
  const story = useRead("getCall", { params: { id } })
  return (
    <Reading of={story} label="Reading the call" lines={3}>
      {({ call: { args, argsAreWhole } }) =>
        args === null ? (
          <p className={look.soft}>The arguments are no longer kept.</p>
        ) : (
          <>
            {!argsAreWhole && <p className={look.soft}>Only the beginning of the arguments is kept.</p>}
            <PastChanges tool={tool.tool} args={args} isPending={outcome === "waiting"} />
          </>
        )
      }
    </Reading>
  )
}
