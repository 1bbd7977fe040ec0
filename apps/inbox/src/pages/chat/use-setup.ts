import type { RunView } from "@byleave/api"
import { type ChosenSetup, useThreadSetup } from "@byleave/ui/chat"
import { useRead } from "../../data/use-read.ts"

/** The model and the servers of a thread, out of those that the service has. */
export function useSetup(id: string | null, run: RunView | null): ChosenSetup {
  const models = useRead("listModels")
  const servers = useRead("listServers")
  return useThreadSetup(id, run, {
    models: models.state === "ready" ? models.value.items : null,
    servers: servers.state === "ready" ? servers.value.items.map((server) => server.id) : [],
  })
}
