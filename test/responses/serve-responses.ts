import type { AddressInfo } from "node:net"
import type { ScriptedStep } from "@byleave/core"
import { createResponses, type ResponsesCaller, type ResponsesOptions, responsesHooks } from "@byleave/responses"
import { serve } from "@hono/node-server"
import { openRuns, type World } from "../runs/open-runs.ts"

/** Two programs, and one whose token conveys what people decide. */
const callers: ReadonlyMap<string, ResponsesCaller> = new Map([
  ["shop", { starter: { kind: "runner", id: "shop" }, conveysDecisions: false }],
  ["other", { starter: { kind: "runner", id: "other" }, conveysDecisions: false }],
  ["desk", { starter: { kind: "runner", id: "desk" }, conveysDecisions: true }],
])

export type ServedResponses = World & { readonly url: string; readonly close: () => Promise<void> }

export type ServeOptions = NonNullable<Parameters<typeof openRuns>[1]> & {
  readonly responses?: Partial<ResponsesOptions>
}

/** The API over real HTTP on loopback, before a gate, runs and a scripted model. */
export async function serveResponses(
  steps: readonly ScriptedStep[],
  { responses, ...more }: ServeOptions = {},
): Promise<ServedResponses> {
  const world = await openRuns(steps, { ...responsesHooks, ...more })
  const handler = createResponses({
    runs: world.runs,
    gate: world.gate,
    tools: world.tools,
    servers: () => [{ name: "files", urls: ["https://files.example/mcp"] }],
    models: () => ["scripted"],
    now: () => world.clock.now,
    onTrouble: (trouble) => world.troubles.push(trouble),
    heldMs: 5_000,
    ...responses,
  })
  const server = serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const caller = callers.get(request.headers.get("authorization")?.replace("Bearer ", "") ?? "")
      return caller === undefined ? new Response(null, { status: 401 }) : handler(request, caller)
    },
  })
  await new Promise<void>((resolve) => server.once("listening", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const close = async (): Promise<void> => {
    server.close()
    if ("closeAllConnections" in server) server.closeAllConnections()
    await world.runs.close()
  }
  return { ...world, url, close }
}
