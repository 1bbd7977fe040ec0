import type { RunView } from "@byleave/api"
import { type ChosenSetup, useThreadSetup } from "@byleave/ui/chat"
import { answerIn, type PanelBackend } from "./panel-client.ts"
import { useLive } from "./use-live.ts"

/** The model and the servers of a thread, out of those that the panel's backend has. */
export function useSetup(backend: PanelBackend, id: string | null, run: RunView | null): ChosenSetup {
  const known = useLive(
    backend,
    async () => {
      const [models, servers] = await Promise.all([
        answerIn(backend.client.listModels()),
        answerIn(backend.client.listServers()),
      ])
      return { models: models.items, servers: servers.items.map((server) => server.id) }
    },
    { key: "setup", isStale: ({ type }) => type === "server.changed" || type === "policy.changed" },
  )
  return useThreadSetup(id, run, known.state === "ready" ? known.value : nothingKnown)
}

const nothingKnown = { models: null, servers: [] }
