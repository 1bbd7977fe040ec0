import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Client } from "@byleave/api"
import { makePlace, type Place } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { answerCall } from "../api/answer-call.ts"
import { countsIn } from "./dispatches.ts"
import { type Counting, httpUpstream, urlOf } from "./start-upstream.ts"

/** `byleave serve` itself, before a counting server, on a data folder that outlives its processes. */
export type RealService = {
  readonly place: Place
  readonly upstream: Counting
  readonly runs: (n: string) => number
  readonly close: () => Promise<void>
}

/** `through`: where the service finds its server, when something stands between them. */
export async function openRealService(
  through: (url: string) => Promise<string> = async (url) => url,
): Promise<RealService> {
  const folder = mkdtempSync(join(tmpdir(), "byleave-real-"))
  const upstream = await httpUpstream(folder)
  const url = await through(urlOf(upstream))
  const place = makePlace(
    `version: 1\nservers:\n  counting:\n    url: ${url}\nreviewers: { presence: none }\nagents: { anonymous: true }\n`,
  )
  const init = await place.command("init", "--presence", "none", "--data", place.data)
  if (init.code !== 0) throw new Error(init.stderr)
  return {
    place,
    upstream,
    runs: (n) => countsIn(upstream.log).get(n) ?? 0,
    close: async () => {
      await place.dispose()
      await upstream.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Waiting = { readonly id: string; readonly status: string }

/** What the API lists of the calls with this argument, newest first. */
export async function listed(reviewer: Client, n: string): Promise<readonly Waiting[]> {
  const reply = await reviewer.listApprovals({ query: { limit: 500 } })
  if (!reply.ok) throw new Error(reply.problem.detail)
  return reply.value.items
    .filter(({ preview }) => preview?.some(({ name, text }) => name === "n" && text === n) === true)
    .map(({ id, status }) => ({ id, status }))
}

export async function decide(reviewer: Client, { id }: Waiting, kind: "approve" | "deny"): Promise<void> {
  const reply = await answerCall(reviewer, id, { kind })
  if (!reply.ok) throw new Error(reply.problem.detail)
}
