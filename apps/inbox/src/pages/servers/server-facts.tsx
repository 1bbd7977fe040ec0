import type { ServerView } from "@byleave/api"
import { ownNameWarning } from "@byleave/core"
import { Ago, Exact, Fact, Facts, Left, ReputationFact, Sentence, ShownText, Soft, useNow } from "@byleave/ui"
import type { ReactNode } from "react"
import { eraWords, healthWords, transportWords } from "./health-words.ts"

/** How it fares and what it is. How it is started is shown, and can be changed in the configuration file alone. */
export function ServerFacts({ server }: { readonly server: ServerView }): ReactNode {
  return server.transport === "program" ? <ProgramFacts server={server} /> : <OwnFacts server={server} />
}

function ProgramFacts({ server }: { readonly server: ServerView }): ReactNode {
  const { lastConnectedAt } = server.health
  return (
    <Facts>
      <NameFact id={server.id} />
      <Fact name="Status">
        <Health server={server} />
      </Fact>
      <Fact name="Last seen">{lastConnectedAt === null ? "Unknown" : <Ago at={lastConnectedAt} />}</Fact>
      <Fact name="Kind">{transportWords.program}</Fact>
      <Fact name="Its token">
        <Exact>
          <ShownText text={server.target} />
        </Exact>
      </Fact>
      <Fact name="Trust">{trustWords[server.trust]}</Fact>
    </Facts>
  )
}

const trustWords = {
  annotations: "Trusted by the configuration: its hints about its tools (read-only, destructive) are used.",
  none: "Not trusted: its hints about its tools are shown but not used by any rule.",
} as const satisfies Record<ServerView["trust"], string>

function OwnFacts({ server }: { readonly server: ServerView }): ReactNode {
  const { health, transport } = server
  return (
    <Facts>
      <NameFact id={server.id} />
      <Fact name="Status">
        <Health server={server} />
      </Fact>
      {server.toolsCut !== null && (
        <Fact name="Tools">
          <Sentence text={server.toolsCut} />
        </Fact>
      )}
      <Fact name="Last connected">
        {health.lastConnectedAt === null ? "Not since Byleave started" : <Ago at={health.lastConnectedAt} />}
      </Fact>
      <Fact name={transport === "stdio" ? "Command" : "Address"}>
        <Exact>
          <ShownText text={server.target} />
        </Exact>
        <br />
        <Soft>Read-only here. Edit it in the configuration file, byleave.yaml.</Soft>
      </Fact>
      <Fact name="Kind">{transportWords[transport]}</Fact>
      <Fact name="Protocol">{eraWords(health.era)}</Fact>
      <Fact name="Credentials">
        {server.hasCredentials ? "Configured. Credentials are never shown." : "None configured."}
      </Fact>
      <Fact name="Trust">{trustWords[server.trust]}</Fact>
      {server.reputation !== undefined && <ReputationFact reputation={server.reputation} />}
    </Facts>
  )
}

/** Said only of a name that resembles Byleave's own. */
function NameFact({ id }: { readonly id: string }): ReactNode {
  const warning = ownNameWarning(id)
  if (warning === null) return null
  return (
    <Fact name="Name">
      <Sentence text={warning} />
    </Fact>
  )
}

function Health({ server }: { readonly server: ServerView }): ReactNode {
  const { sentence, error, retryAt } = healthWords(server, useNow())
  return (
    <>
      {error !== null && (
        <>
          <Exact>
            <Sentence text={error} />
          </Exact>
          <br />
        </>
      )}
      {sentence}
      {retryAt !== null && (
        <>
          {" "}
          (<Left until={retryAt} />)
        </>
      )}
    </>
  )
}
