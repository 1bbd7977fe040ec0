import type { ServerView } from "@byleave/api"
import { ownNameWarning } from "@byleave/core"
import { Ago, Left, Sentence, ShownText, useNow } from "@byleave/ui"
import type { ReactNode } from "react"
import { Exact, Fact, Facts, Soft } from "../places/facts.tsx"
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
      <Fact name="Now">
        <Health server={server} />
      </Fact>
      <Fact name="Last seen">{lastConnectedAt === null ? "Not known" : <Ago at={lastConnectedAt} />}</Fact>
      <Fact name="Kind">{transportWords.program}</Fact>
      <Fact name="Token of that program">
        <Exact>
          <ShownText text={server.target} />
        </Exact>
      </Fact>
      <Fact name="Trust">{trustWords[server.trust]}</Fact>
    </Facts>
  )
}

const trustWords = {
  annotations: "What it says of its tools (reads, destroys) is believed, because the configuration says so.",
  none: "Not verified: what it says of its tools is shown, and believed by no rule.",
} as const satisfies Record<ServerView["trust"], string>

function OwnFacts({ server }: { readonly server: ServerView }): ReactNode {
  const { health, transport } = server
  return (
    <Facts>
      <NameFact id={server.id} />
      <Fact name="Now">
        <Health server={server} />
      </Fact>
      {server.toolsCut !== null && (
        <Fact name="Tools">
          <Sentence text={server.toolsCut} />
        </Fact>
      )}
      <Fact name="Last connected">
        {health.lastConnectedAt === null ? "Never since Byleave started" : <Ago at={health.lastConnectedAt} />}
      </Fact>
      <Fact name={transport === "stdio" ? "Started by" : "Address"}>
        <Exact>
          <ShownText text={server.target} />
        </Exact>
        <br />
        <Soft>Shown, not changed here: it is set in the configuration file, byleave.yaml.</Soft>
      </Fact>
      <Fact name="Kind">{transportWords[transport]}</Fact>
      <Fact name="Protocol">{eraWords(health.era)}</Fact>
      <Fact name="Credentials">
        {server.hasCredentials ? "Credentials are configured. They are never shown." : "None are configured."}
      </Fact>
      <Fact name="Trust">{trustWords[server.trust]}</Fact>
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
