import type { StoryView } from "@byleave/api"
import { sessionName } from "@byleave/api/page"
import { isRunPrincipal, sizeInWords } from "@byleave/core"
import {
  capitalized,
  Exact,
  Fact,
  Facts,
  Mark,
  MaskedJson,
  Sentence,
  Sheet,
  ShownName,
  ShownText,
  Stamp,
  tookInWords,
} from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useSessionsOf } from "../../data/use-sessions-of.ts"
import { modeLabel } from "../sessions/mode/mode-words.ts"
import { callerLink } from "./call-list.tsx"
import { decisionWords, denialReason, outcomeWords, whyName } from "./call-words.ts"
import { clockTime, dayInWords } from "./merge-newest.ts"
import look from "./story-body.module.css"
import { StoryCard } from "./story-card.tsx"
import { judgementOf, resultOf, storyEntries } from "./story-entries.ts"
import { StoryLine } from "./story-line.tsx"

export function StoryBody({ story }: { readonly story: StoryView }): ReactNode {
  const outcome = outcomeWords(story.call)
  return (
    <div className={look.story}>
      <div className={look.main}>
        <Sheet title="Timeline" actions={<Stamp tone={outcome.tone}>{outcome.words}</Stamp>}>
          <StoryLine entries={storyEntries(story)} />
        </Sheet>
        {story.approval === null ? <Exchange story={story} /> : <StoryCard approval={story.approval} />}
      </div>
      <StoryFacts story={story} />
    </div>
  )
}

function Exchange({ story: { call, records } }: { readonly story: StoryView }): ReactNode {
  const result = resultOf(records)
  return (
    <>
      <Sheet title="Arguments">
        <div className={look.inside}>
          {call.args === null ? (
            <p>No longer stored.</p>
          ) : (
            <>
              <p className="aside">
                As recorded, with likely secrets removed.
                {!call.argsAreWhole && ` Of ${sizeInWords(call.argsBytes ?? 0)}, only the beginning was stored.`}
              </p>
              <MaskedJson value={call.args} label="Arguments" />
            </>
          )}
        </div>
      </Sheet>
      {result !== null && (
        <Sheet title={result.kind === "result" ? "Result" : "Error"}>
          <div className={look.inside}>
            <p className="aside">
              The server's response, as recorded.
              {result.wholeBytes !== null && ` Of ${sizeInWords(result.wholeBytes)}, only the beginning was stored.`}
            </p>
            <MaskedJson value={result.value} label={result.kind === "result" ? "Result" : "Error"} />
          </div>
        </Sheet>
      )}
    </>
  )
}

function StoryFacts({ story: { call, records } }: { readonly story: StoryView }): ReactNode {
  const session = useSessionsOf([call.sessionKey]).get(call.sessionKey)
  const decision = decisionWords(call)
  const denied = denialReason(call)
  const { policy, mode, rerunOf } = judgementOf(records)
  return (
    <Sheet title="Summary">
      <div className={look.inside}>
        <Facts>
          <Fact name="Policy">
            <Mark tone={decision.tone}>{decision.words}</Mark>
          </Fact>
          <Fact name={whyName(call)}>
            <Sentence text={capitalized(call.why)} />
          </Fact>
          {denied !== null && (
            <Fact name="Why it was denied">
              <ShownText text={denied} />
            </Fact>
          )}
          {call.rule !== null && (
            <Fact name="Rule">
              <Link to="/policy">
                <Exact>
                  <Sentence text={call.rule} />
                </Exact>
              </Link>
            </Fact>
          )}
          <Fact name="Called">
            {dayInWords(call.at)}, {clockTime(call.at)}
          </Fact>
          <Fact name="Agent">
            <Link to="/activity" search={{ principal: call.principal } as never}>
              <ShownName text={call.principal} />
            </Link>
          </Fact>
          <Fact name={call.principal === "chat" ? "Thread" : isRunPrincipal(call.principal) ? "Run" : "Session"}>
            <Link {...callerLink(call)}>
              <ShownName text={session === undefined ? call.session.id : sessionName(session, session)} />
            </Link>
            <br />
            <Link to="/activity" search={{ principal: call.principal, session: call.session.id } as never}>
              View all calls in this session
            </Link>
          </Fact>
          <Fact name="Server">
            <Link to="/servers">
              <ShownName text={call.tool.server} />
            </Link>
          </Fact>
          {call.decidedBy !== null && (
            <Fact name="Decided by">
              <Link to="/activity" search={{ decidedBy: call.decidedBy } as never}>
                <ShownText text={call.decidedBy} />
              </Link>
            </Fact>
          )}
          {call.tookMs !== null && <Fact name="Run time">{tookInWords(call.tookMs)}</Fact>}
          {mode !== null && mode !== "ask" && <Fact name="Mode">{modeLabel(mode)}</Fact>}
          {rerunOf !== null && (
            <Fact name="Rerun of">
              <Link to="/activity/$id" params={{ id: rerunOf }}>
                <Exact>{rerunOf}</Exact>
              </Link>
            </Fact>
          )}
          {policy !== null && (
            <Fact name="Policy version">
              <Exact>{policy}</Exact>
            </Fact>
          )}
          <Fact name="Call ID">
            <Exact>{call.id}</Exact>
          </Fact>
        </Facts>
      </div>
    </Sheet>
  )
}
