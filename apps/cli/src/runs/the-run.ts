import type { Client, RunSummaryView } from "@byleave/api"
import { RefusedByService } from "../decide/reviewer-client.ts"
import { findById } from "../decide/short-id.ts"
import { answerOf } from "../decide/waiting-calls.ts"

/** So many runs are listed, and found by a part of their id. */
export const listedRuns = 500

/** A run by the start or end of its id. */
export async function theRun(client: Client, written: string): Promise<RunSummaryView> {
  const whole = await client.getRun({ params: { id: written } })
  if (whole.ok) return whole.value.run
  const { items } = answerOf(await client.listRuns({ query: { limit: listedRuns } }))
  const found = findById(items, written, "run")
  if (!found.ok) throw new RefusedByService(1, `${found.error} See byleave runs list.`)
  return found.item
}
