import { Page, Sheet } from "@byleave/ui"
import { useSearch } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { AgentsHere } from "./agents-here.tsx"
import { ChangeWaits } from "./change-waits.tsx"
import { ChooseClient } from "./choose-client.tsx"
import { clientSetups } from "./client-setups.ts"
import { ClientSteps } from "./client-steps.tsx"
import look from "./connect-page.module.css"

/** From nothing to an agent's first call: which client, how it connects, what to write where. */
export function ConnectPage(): ReactNode {
  const { client } = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const setup = clientSetups.find(({ id }) => id === client) ?? clientSetups[0]
  return (
    <Page
      title="Connect an agent"
      lead="Choose your client, copy its configuration, and ask the agent to use a tool. Its calls then pass through Byleave."
    >
      <ChangeWaits />
      <AgentsHere />
      <Sheet title="Client">
        <div className={look.body}>
          <ChooseClient chosen={setup.id} />
        </div>
      </Sheet>
      <ClientSteps setup={setup} />
    </Page>
  )
}
