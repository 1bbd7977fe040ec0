import type { RunAnswerView, StartRunBody } from "@byleave/api"
import type { RunSetup } from "@byleave/core"
import type { AgentRunOrder, AgentRuns, RunMessage } from "../../agent-runs.ts"
import { starterOf } from "../../guard/run-caller.ts"
import { needPresence } from "../../guard/who-asks.ts"
import { isRefused, type RefusedRequest, refuse } from "../../refused.ts"
import type { ApiService } from "../../service.ts"
import type { HandledRequest, Handler } from "../handler.ts"
import { continueWith } from "./continue-run.ts"
import { serversIn } from "./named-servers.ts"
import { runAnswer, waitedFor } from "./run-answer.ts"
import { runsOf, runsRefused } from "./runs-refused.ts"
import { unlessTaken } from "./with-pictures.ts"

export const startRun: Handler<"startRun"> = async (service, { body, query, who, request }) => {
  const runs = runsOf(service)
  if (isRefused(runs)) return runs
  if (body.data?.session != null) return goOnFrom(service, runs, { body, query, who, request })
  if (body.principal === "chat" && who.kind !== "reviewer") {
    return refuse("wrong-credential", "Only people start chats. Start a run instead: leave principal out.")
  }
  const absent = who.kind === "reviewer" ? needPresence(who) : null
  if (absent !== null) return absent
  const order = orderOf(service, body, request)
  if (isRefused(order)) return order
  const untaken = unlessTaken(runs, body.model ?? null, messagesIn(body))
  if (untaken !== null) return untaken
  const { principal, title, maxSteps, metadata, conversation_id: conversationId } = body
  const started = await runs.start(
    {
      ...order,
      messages: messagesIn(body),
      ...(principal === undefined ? {} : { principal }),
      ...(title === undefined ? {} : { title }),
      ...(maxSteps === undefined ? {} : { maxSteps }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(conversationId === undefined ? {} : { face: { conversationId } }),
    },
    starterOf(who),
  )
  if (!started.ok) return runsRefused(started.refusal)
  const run = await waitedFor(service, runs, started.run.id, { seconds: query.wait, request })
  return isRefused(run) ? run : runAnswer(service, { runs, who }, run)
}

/** Callers that post everything to one address bring along which run they mean. */
async function goOnFrom(
  service: ApiService,
  runs: AgentRuns,
  { body, query, who, request }: Pick<HandledRequest<"startRun">, "body" | "query" | "who" | "request">,
): Promise<RunAnswerView | RefusedRequest> {
  const { prompt, conversation_id: _, maxSteps: __, metadata: ___, principal: ____, title: _____, ...rest } = body
  const id = await runs.runOfSession(body.data?.session ?? "")
  if (id === null)
    return refuse("state-foreign", "data.session is of another Byleave, or was changed. Start again without it.")
  const said = prompt === undefined ? rest : { ...rest, message: prompt }
  return continueWith(service, id, { body: said, query, who, request })
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

/** W3C trace context, where it is one. */
function traceOf({ headers }: Request): RunSetup["trace"] {
  const traceparent = headers.get("traceparent") ?? ""
  const tracestate = headers.get("tracestate")
  if (!/^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(traceparent)) return undefined
  return { traceparent, ...(tracestate === null || tracestate.length > 512 ? {} : { tracestate }) }
}
