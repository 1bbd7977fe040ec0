/**
 * Agent runs for pages that people build with AG-UI or AI SDK's useChat.
 *
 * I1. A page reaches the runs that its caller reaches by every other route.
 * I2. What a page says to a call counts where the same caller's decision in a continue would.
 */
import type { AgentRuns, PageCaller } from "../../agent-runs.ts"
import { countedStream } from "../../guard/counted-stream.ts"
import { withBody } from "../../guard/read-body.ts"
import { maySee, type RunCaller, starterOf, streamsKey } from "../../guard/run-caller.ts"
import { needPresence } from "../../guard/who-asks.ts"
import { isRefused, type RefusedRequest } from "../../refused.ts"
import type { ApiService } from "../../service.ts"
import type { Handler } from "../handler.ts"
import { decideCall } from "./decide-call.ts"
import { runsOf } from "./runs-refused.ts"
import { orderOf } from "./start-run.ts"

export const answerAgUi: Handler<"answerAgUi"> = (service, { who, request, text }) => {
  const runs = mayRun(service, who)
  return isRefused(runs)
    ? runs
    : counted(service, who, () => runs.answerAgUi(withBody(request, text), pageCaller(service, who, request)))
}

export const answerUiChat: Handler<"answerUiChat"> = (service, { who, request, text }) => {
  const runs = mayRun(service, who)
  return isRefused(runs)
    ? runs
    : counted(service, who, () => runs.answerUiChat(withBody(request, text), pageCaller(service, who, request)))
}

export const reopenUiChat: Handler<"reopenUiChat"> = (service, { who, request, params }) => {
  const runs = runsOf(service)
  return isRefused(runs)
    ? runs
    : counted(service, who, () => runs.reopenUiChat(params.id, request, pageCaller(service, who, request)))
}

function counted(
  { runStreams }: ApiService,
  who: RunCaller,
  answer: () => Promise<Response>,
): Promise<Response | RefusedRequest> {
  return countedStream(runStreams, streamsKey(who), answer)
}

/** Messages let more happen: a reviewer must be there. */
function mayRun(service: ApiService, who: RunCaller): AgentRuns | RefusedRequest {
  const absent = who.kind === "reviewer" ? needPresence(who) : null
  return absent ?? runsOf(service)
}

function pageCaller(service: ApiService, who: RunCaller, request: Request): PageCaller {
  return {
    starter: starterOf(who),
    readInTurn: service.runReads.turnsOf(who).finish,
    mayUse: (run) => maySee(who, run),
    decide: async (approval, { approve, reason }) => {
      const said = reason === undefined ? {} : { rejection_reason: reason }
      return (await decideCall(service, who, approval, { execute: approve, ...said }))?.detail ?? null
    },
    orderFor: (wish) => {
      const order = orderOf(service, wish, request)
      return isRefused(order) ? { problem: order.detail } : order
    },
  }
}
