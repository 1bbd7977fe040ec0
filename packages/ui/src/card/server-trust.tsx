import type { ApprovalView, PinView, ServerView } from "@byleave/api"
import type { ReactNode } from "react"
import { Mark } from "../parts/mark.tsx"
import { ShownText } from "../parts/shown-text.tsx"
import { Ago } from "../parts/time.tsx"
import look from "./facts.module.css"
import { Fact, Facts } from "./facts.tsx"
import { Section } from "./section.tsx"
import { LongText, Sentence } from "./shown-value.tsx"

export type ServerTrustProps = {
  readonly approval: ApprovalView
  readonly server: ServerView | null
  readonly pin: PinView | null
}

/** What there is to go by when trusting a server: how it is reached, what was accepted of it, what it was given. */
export function ServerTrust({ approval, server, pin }: ServerTrustProps): ReactNode {
  return (
    <Section title="The server">
      <Facts>
        {server !== null && server.transport !== "program" && <HowReached server={server} />}
        <Fact name="Definition">
          <Definition state={approval.pin} pin={pin} />
        </Fact>
        {server === null || server.transport === "program" ? (
          <Fact name="Connection">
            <span className={look.soft}>This server is not configured here; the calling program runs it.</span>
          </Fact>
        ) : (
          <Given server={server} />
        )}
      </Facts>
    </Section>
  )
}

function HowReached({ server }: { readonly server: ServerView }): ReactNode {
  return (
    <Fact name={server.transport === "stdio" ? "Started as" : "Reached at"}>
      <LongText text={server.target} name="url" />
    </Fact>
  )
}

function Given({ server }: { readonly server: ServerView }): ReactNode {
  const { health } = server
  return (
    <>
      <Fact name="Credentials">
        {server.hasCredentials
          ? "It is given some by the configuration; they are never shown."
          : "None are given to it."}
      </Fact>
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
      <Fact name="Its own words">
        {server.trust === "annotations" ? (
          <Mark tone="yes">trusted to say what reads and what writes</Mark>
        ) : (
          <Mark tone="plain">not taken on trust</Mark>
        )}
      </Fact>
    </>
  )
}

function Definition({ state, pin }: { readonly state: ApprovalView["pin"]; readonly pin: PinView | null }): ReactNode {
  if (state === "changed") return <Mark tone="wait">changed since it was accepted</Mark>
  if (state === "new") return <Mark tone="wait">new, nobody accepted it</Mark>
  if (state === "rejected") return <Mark tone="no">rejected by a reviewer</Mark>
  if (state === "quarantined") return <Mark tone="no">in quarantine</Mark>
  if (state === "unpinned") return <Mark tone="plain">may change without being asked about</Mark>
  if (state === null) return <span className={look.soft}>not a tool, nothing to accept</span>
  const accepted = pin?.accepted ?? null
  return (
    <>
      <Mark tone="yes">as accepted</Mark>
      {accepted !== null && (
        <span className={look.soft}>
          {" "}
          {accepted.by === null ? (
            "at first sight"
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
