import type { AddressInfo } from "node:net"
import type { ScriptedStep } from "@byleave/core"
import { createResponses, type ResponsesCaller, type ResponsesOptions, responsesHooks } from "@byleave/responses"
import { serve } from "@hono/node-server"
import OpenAI from "openai"
import { onTestFinished } from "vitest"
import { answer, openRuns, type World } from "../runs/open-runs.ts"

/** Two programs, and one whose token conveys what people decide. */
const callers: ReadonlyMap<string, ResponsesCaller> = new Map([
  ["shop", { starter: { kind: "runner", id: "shop" }, conveysDecisions: false }],
  ["other", { starter: { kind: "runner", id: "other" }, conveysDecisions: false }],
  ["desk", { starter: { kind: "runner", id: "desk" }, conveysDecisions: true }],
])

export type ResponsesTest = World & {
  readonly url: string
  readonly client: OpenAI
  readonly clientOf: (token: string) => OpenAI
}

type More = NonNullable<Parameters<typeof openRuns>[1]> & { readonly responses?: Partial<ResponsesOptions> }

/** The API over real HTTP on loopback, before a gate, runs and a scripted model. */
export async function openResponses(steps: readonly ScriptedStep[], more: More = {}): Promise<ResponsesTest> {
  const { responses, ...rest } = more
  const world = await openRuns(steps, { ...responsesHooks, ...rest })
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
  onTestFinished(async () => {
    server.close()
    if ("closeAllConnections" in server) server.closeAllConnections()
    await world.runs.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: url, maxRetries: 0 })
  return { ...world, url, clientOf, client: clientOf("shop") }
}

/** The tool that names the test's server, with what a test wants of it. */
export function filesTool(more: Partial<OpenAI.Responses.Tool.Mcp> = {}): OpenAI.Responses.Tool.Mcp {
  return { type: "mcp", server_label: "files", require_approval: "never", ...more }
}

export function requestsIn(
  response: OpenAI.Responses.Response,
): readonly OpenAI.Responses.ResponseOutputItem.McpApprovalRequest[] {
  return response.output.filter((item) => item.type === "mcp_approval_request")
}

/** The approvals that the run of a response waits for. */
export async function waitingCalls(world: World, response: string): Promise<readonly string[]> {
  const run = await world.runs.get(response.split("_")[1] ?? "")
  if (run === undefined) throw new Error("The run is gone.")
  return (await world.runs.waitsFor(run)).map(({ approval }) => approval.id)
}

/** A reviewer says the same to everything that the response waits for. */
export async function decideAll(world: World, response: string, kind: "approve" | "deny"): Promise<void> {
  for (const id of await waitingCalls(world, response)) await answer(world, id, kind)
}

export function answersTo(
  response: OpenAI.Responses.Response,
  approve: boolean,
  reason?: string,
): OpenAI.Responses.ResponseInputItem.McpApprovalResponse[] {
  return requestsIn(response).map(({ id }) => ({
    type: "mcp_approval_response",
    approval_request_id: id,
    approve,
    ...(reason === undefined ? {} : { reason }),
  }))
}
