import type { ApprovalView, SessionView } from "@byleave/api"
import { starterWords } from "@byleave/core"
import type { ReactNode } from "react"
import { Fact, Facts } from "../../parts/facts.tsx"
import { ShownName } from "../../parts/shown-text.tsx"
import { TheirWords } from "../../parts/their-words.tsx"
import { Ago, useNow } from "../../parts/time.tsx"
import { followInPage } from "../../plots/follow.ts"
import { agoInWords } from "../../words/time-words.ts"
import { LongName, LongText, Sentence } from "../arguments/shown-value.tsx"
import { Section } from "../section.tsx"
import { callerWords } from "./caller-words.ts"
import { runNouns } from "./run-nouns.ts"

export type WhoAsksProps = {
  readonly approval: ApprovalView
  readonly session: SessionView | null
  /** Absent: there is no page of the session to go to. */
  readonly onFollow?: ((href: string) => void) | undefined
}

/** The agent, the program it speaks through, and the session it is in; or the agent run whose call it is. */
export function WhoAsks(props: WhoAsksProps): ReactNode {
  return props.approval.run === undefined ? <AgentAsks {...props} /> : <RunAsks {...props} run={props.approval.run} />
}

type RunAsksProps = WhoAsksProps & { readonly run: NonNullable<ApprovalView["run"]> }

function RunAsks({ approval, session, onFollow, run }: RunAsksProps): ReactNode {
  const { noun, path } = runNouns(approval)
  const href = `/${path}/${encodeURIComponent(run.id)}`
  const name = session?.runTitle == null ? <ShownName text={run.id} /> : <TheirWords text={session.runTitle} />
  return (
    <Section title="Requested by">
      <Facts>
        <Fact name={noun === "run" ? "Run" : "Thread"}>
          {onFollow === undefined ? (
            name
          ) : (
            <a href={href} onClick={(event) => followInPage(event, href, onFollow)}>
              {name}
            </a>
          )}
        </Fact>
        {approval.starter !== undefined && (
          <Fact name="Started by">
            <Sentence text={starterWords(approval.starter)} />
          </Fact>
        )}
        <Fact name="Asked">
          <Ago at={approval.createdAt} />
          {approval.status === "pending" && (
            <span className="soft">; the {noun} continues once all its waiting calls are decided</span>
          )}
        </Fact>
      </Facts>
    </Section>
  )
}

function AgentAsks({ approval, session, onFollow }: WhoAsksProps): ReactNode {
  const { principal } = approval
  const now = useNow(5_000)
  return (
    <Section title="Requested by">
      <Facts>
        <Fact name="Agent">
          <ShownName text={principal.id} />
          {principal.id === "anonymous" && <span className="soft">: no token identifies it</span>}
          {principal.owner !== undefined && (
            <span className="soft">
              {" "}
              of <ShownName text={principal.owner} />
            </span>
          )}
        </Fact>
        {session?.client != null && (
          <Fact name="Program">
            <ShownName text={session.client} /> <span className="soft">self-reported</span>
          </Fact>
        )}
        <SessionFacts approval={approval} session={session} />
        {session !== null && onFollow !== undefined && (
          <Fact name="Story">
            <SessionLink sessionKey={session.key} onFollow={onFollow} />
          </Fact>
        )}
        <Fact name="Asked">
          <Ago at={approval.createdAt} />
          {approval.status === "pending" && (
            <span className="soft">{callerWords(approval.callerWaits, session, (at) => agoInWords(at, now))}</span>
          )}
        </Fact>
      </Facts>
    </Section>
  )
}

type SessionLinkProps = { readonly sessionKey: string; readonly onFollow: (href: string) => void }

function SessionLink({ sessionKey, onFollow }: SessionLinkProps): ReactNode {
  const href = `/sessions/${encodeURIComponent(sessionKey)}`
  return (
    <a href={href} onClick={(event) => followInPage(event, href, onFollow)}>
      Everything this session did
    </a>
  )
}

function SessionFacts({ approval, session }: WhoAsksProps): ReactNode {
  if (session === null) {
    return approval.session.named ? (
      <Fact name="Session">
        <LongName text={approval.session.id} most={80} />
      </Fact>
    ) : null
  }
  return (
    <>
      <Fact name="Session">
        {session.label !== null ? (
          <ShownName text={session.label} />
        ) : session.named ? (
          <LongName text={session.id} most={80} />
        ) : (
          "not distinguished: all calls of this agent"
        )}
        {session.startedAt !== null && (
          <span className="soft">
            {" "}
            · started <Ago at={session.startedAt} />
          </span>
        )}
      </Fact>
      {session.firstCall !== null && (
        <Fact name="First call">
          <code>
            <ShownName text={`${session.firstCall.server}(${session.firstCall.tool})`} />
          </code>
        </Fact>
      )}
      {session.folder !== null && (
        <Fact name="Folder">
          <LongText text={session.folder} name="folder" />
        </Fact>
      )}
    </>
  )
}
