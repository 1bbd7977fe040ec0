import type { CallView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Mark, PastChanges, Quoted, rowText, Sentence, ShownName, ShownText, tookInWords } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { ChevronDown, ChevronRight } from "lucide-react"
import { memo, type ReactNode, useId, useState } from "react"
import { useRead } from "../../../data/use-read.ts"
import { argsLine, outcomeWords, toolText } from "../../activity/call-words.ts"
import { clockTime } from "../../activity/merge-newest.ts"
import { SentenceText } from "../../audit/sentence.tsx"
import { Reading } from "../../places/reading.tsx"
import timeline from "../../places/timeline.module.css"
import look from "./session-timeline.module.css"
import { answerSentence, sentenceOf, timelineTone } from "./timeline-words.ts"

/** One call on the time line: what was called, why it ran or did not, who said so, and what the server answered to it. */
export const TimelineEntry = memo(function TimelineEntry({ call }: { readonly call: CallView }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  const outcome = outcomeWords(call)
  return (
    <li className={timeline.entry} data-tone={timelineTone(call)}>
      <time className={timeline.time} dateTime={new Date(call.at).toISOString()}>
        {clockTime(call.at)}
      </time>
      <div className={timeline.told}>
        <p className={look.head}>
          <span className={`one-line ${look.called}`} title={showText(`${rowText(toolText(call))} ${argsLine(call)}`)}>
            <Link className={look.tool} to="/activity/$id" params={{ id: call.id }}>
              <ShownName text={rowText(toolText(call))} />
            </Link>{" "}
            <span className={look.args}>
              <ShownName text={argsLine(call)} />
            </span>
          </span>
          <span className={look.outcome}>
            {call.tookMs !== null && <span className={look.soft}>{tookInWords(call.tookMs)}</span>}
            <Mark tone={outcome.tone}>{outcome.words}</Mark>
          </span>
        </p>
        <div className={look.why}>
          <Decision call={call} />
          <span className={look.actions}>
            {call.outcome === "waiting" && call.answer === "none" && (
              <Link to="/" search={{ open: call.id } as never}>
                Review and decide
              </Link>
            )}
            {call.argsBytes !== null && (
              <button
                type="button"
                className={look.toggle}
                aria-expanded={isOpen}
                aria-controls={details}
                onClick={() => setOpen(!isOpen)}
              >
                {isOpen ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
                Details
              </button>
            )}
          </span>
        </div>
        {call.reason !== null && call.decidedBy !== null && (
          <Quoted by={`${call.decidedBy} said`}>
            <ShownText text={call.reason} />
          </Quoted>
        )}
        {call.failure !== null && (
          <Quoted by={`${call.tool.server} answered`}>
            <ShownText text={call.failure} />
          </Quoted>
        )}
        {isOpen && (
          <div id={details} className={look.details}>
            <Details call={call} />
          </div>
        )}
      </div>
    </li>
  )
})

/** Why policy let it run, asked or refused, and what people answered. */
function Decision({ call }: { readonly call: CallView }): ReactNode {
  const answer = answerSentence(call)
  return (
    <p className={look.decision}>
      <Sentence text={sentenceOf(call.why)} />
      {answer !== null && (
        <>
          {" "}
          <strong className={look.answer}>
            <SentenceText sentence={answer} />
          </strong>
        </>
      )}
    </p>
  )
}

/** The arguments, read when somebody wants to see them: a difference where they change a file. */
function Details({ call: { id, tool, outcome } }: { readonly call: CallView }): ReactNode {
  const story = useRead("getCall", { params: { id } })
  return (
    <Reading of={story} label="Loading call" lines={3}>
      {({ call: { args, argsAreWhole } }) =>
        args === null ? (
          <p className={look.soft}>The arguments are no longer stored.</p>
        ) : (
          <>
            {!argsAreWhole && <p className={look.soft}>Only the beginning of the arguments was stored.</p>}
            <PastChanges tool={tool.tool} args={args} isPending={outcome === "waiting"} />
          </>
        )
      }
    </Reading>
  )
}
