import type { ScriptedStep } from "@byleave/core"
import OpenAI from "openai"
import { onTestFinished } from "vitest"
import { answer, type World } from "../runs/open-runs.ts"
import { type ServedResponses, type ServeOptions, serveResponses } from "./serve-responses.ts"

export type ResponsesTest = ServedResponses & {
  readonly client: OpenAI
  readonly clientOf: (token: string) => OpenAI
}

/** The API with the `openai` client before it, until the test is over. */
export async function openResponses(
  steps: readonly ScriptedStep[],
  options: ServeOptions = {},
): Promise<ResponsesTest> {
  const served = await serveResponses(steps, options)
  onTestFinished(served.close)
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: served.url, maxRetries: 0 })
  return { ...served, clientOf, client: clientOf("shop") }
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
