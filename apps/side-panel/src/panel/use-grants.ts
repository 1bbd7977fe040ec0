import type { GrantView } from "@byleave/api"
import { grantAsShown } from "@byleave/api/page"
import { answerIn, type PanelBackend } from "./panel-client.ts"
import { type Live, useLive } from "./use-live.ts"

export function useGrants(backend: PanelBackend): Live<readonly GrantView[]> {
  return useLive(
    backend,
    async () => (await answerIn(backend.client.listGrants())).items.map((grant) => grantAsShown(grant, Date.now())),
    { key: "grants", isStale: ({ type }) => type === "grant.changed" || type === "session.ended" },
  )
}
