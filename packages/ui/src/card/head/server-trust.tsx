import type { ApprovalView, PinView, ServerView } from "@byleave/api"
import type { ReactNode } from "react"
import look from "../../parts/facts.module.css"
import { Fact, Facts } from "../../parts/facts.tsx"
import { Mark } from "../../parts/mark.tsx"
import { ReputationFact } from "../../parts/reputation-fact.tsx"
import { ShownText } from "../../parts/shown-text.tsx"
import { Ago } from "../../parts/time.tsx"
import { LongText, Sentence } from "../arguments/shown-value.tsx"
import { Section } from "../section.tsx"

export type ServerTrustProps = {
  readonly approval: ApprovalView
  readonly server: ServerView | null
  readonly pin: PinView | null
}

/** The facts for trusting a server: how it is reached, which definitions were accepted, which permissions it has. */
export function ServerTrust({ approval, server, pin }: ServerTrustProps): ReactNode {
  return (
    <Section title="Server">
      <Facts>
        {server !== null && server.transport !== "program" && <HowReached server={server} />}
        <Fact name="Definition">
          <Definition state={approval.pin} pin={pin} />
        </Fact>
        {server === null || server.transport === "program" ? (
          <Fact name="Connection">
            <span className="soft">Not configured here; the calling program runs it.</span>
          </Fact>
        ) : (
          <Given server={server} />
        )}
        {server?.reputation !== undefined && <ReputationFact reputation={server.reputation} />}
      </Facts>
    </Section>
  )
}

function HowReached({ server }: { readonly server: ServerView }): ReactNode {
  return (
    <Fact name={server.transport === "stdio" ? "Command" : "Address"}>
      <LongText text={server.target} name="url" />
    </Fact>
  )
}

function Given({ server }: { readonly server: ServerView }): ReactNode {
  const { health } = server
  return (
    <>
      <Fact name="Credentials">{server.hasCredentials ? "Configured; never shown." : "None."}</Fact>
      <Fact name="Last connected">
        {health.lastConnectedAt === null ? "Never" : <Ago at={health.lastConnectedAt} />}
        {health.state === "failing" && <span className={look.bad}> · failing now</span>}
        {server.stopped && <span className={look.bad}> · stopped</span>}
        {health.lastError !== null && health.state === "failing" && (
          <>
            : <Sentence text={health.lastError} />
          </>
        )}
      </Fact>
      <Fact name="Hints">
        {server.trust === "annotations" ? <Mark tone="yes">trusted</Mark> : <Mark tone="plain">not trusted</Mark>}
      </Fact>
    </>
  )
}

function Definition({ state, pin }: { readonly state: ApprovalView["pin"]; readonly pin: PinView | null }): ReactNode {
  if (state === "changed") return <Mark tone="wait">changed since it was accepted</Mark>
  if (state === "new") return <Mark tone="wait">new, not accepted</Mark>
  if (state === "rejected") return <Mark tone="no">rejected by a reviewer</Mark>
  if (state === "quarantined") return <Mark tone="no">quarantined</Mark>
  if (state === "unpinned") return <Mark tone="plain">changes not tracked</Mark>
  if (state === null) return <span className="soft">not a tool, no definition</span>
  const accepted = pin?.accepted ?? null
  return (
    <>
      <Mark tone="yes">accepted</Mark>
      {accepted !== null && (
        <span className="soft">
          {" "}
          {accepted.by === null ? (
            "when first seen"
          ) : (
            <>
              by <ShownText text={accepted.by} />
            </>
          )}
          , <Ago at={accepted.at} />
        </span>
      )}
    </>
  )
}
