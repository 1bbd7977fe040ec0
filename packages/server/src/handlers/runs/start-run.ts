import type { StartRunBody } from "@byleave/api"
import type { RunSetup } from "@byleave/core"
import type { AgentRunOrder, RunMessage } from "../../agent-runs.ts"
import { starterOf } from "../../guard/run-caller.ts"
import { isRefused, type RefusedRequest, refuse } from "../../refused.ts"
import type { ApiService } from "../../service.ts"
import type { Handler } from "../handler.ts"
import { runAnswer, waitedFor } from "./run-answer.ts"
import { runsOf, runsRefused } from "./runs-refused.ts"

export const startRun: Handler<"startRun"> = async (service, { body, query, who, request }) => {
  const runs = runsOf(service)
  if (isRefused(runs)) return runs
  const order = orderOf(service, body, request)
  if (isRefused(order)) return order
  const { maxSteps, metadata, conversation_id: conversationId } = body
  const started = await runs.start(
    {
      ...order,
      messages: messagesIn(body),
      ...(maxSteps === undefined ? {} : { maxSteps }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(conversationId === undefined ? {} : { face: { conversationId } }),
    },
    starterOf(who),
  )
  if (!started.ok) return runsRefused(started.refusal)
  const run = await waitedFor(service, runs, started.run.id, { seconds: query.wait, request })
  return isRefused(run) ? run : runAnswer(service, runs, run)
}

function messagesIn({ prompt, messages }: StartRunBody): readonly RunMessage[] {
  return messages ?? [{ role: "user", content: prompt ?? "" }]
}

type WishedSetup = Pick<StartRunBody, "model" | "instructions"> & { readonly servers?: readonly string[] }

/** The run that somebody wishes to begin, with their trace, or what is wrong with the wish. */
export function orderOf(
  service: ApiService,
  { model, servers: named, instructions }: WishedSetup,
  request: Request,
): Omit<AgentRunOrder, "messages"> | RefusedRequest {
  const servers = serversIn(service, named)
  if (isRefused(servers)) return servers
  const trace = traceOf(request)
  return {
    servers,
    ...(model === undefined ? {} : { model }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(trace === undefined ? {} : { trace }),
  }
}

/** Every server where none is named. A name that no server has is a mistake, and told. */
export function serversIn(
  service: ApiService,
  named: readonly string[] | undefined,
): readonly string[] | RefusedRequest {
  const known = service.servers().map(({ id }) => id)
  if (named === undefined) return known
  const unknown = named.filter((id) => !known.includes(id))
  if (unknown.length === 0) return [...new Set(named)]
  const there = known.length === 0 ? "There is none." : `There are: ${known.join(", ")}.`
  return refuse("bad-request", `No server is called ${unknown.join(", ")}. ${there}`)
}

/** W3C trace context, where it is one. */
function traceOf({ headers }: Request): RunSetup["trace"] {
  const traceparent = headers.get("traceparent") ?? ""
  const tracestate = headers.get("tracestate")
  if (!/^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(traceparent)) return undefined
  return { traceparent, ...(tracestate === null || tracestate.length > 512 ? {} : { tracestate }) }
}
