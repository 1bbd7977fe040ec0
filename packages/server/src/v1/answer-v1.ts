/**
 * `/v1`: the part of OpenAI's API that programs with a runner's token may use.
 *
 * I1. Nothing of a request is read before its token is known.
 * I2. Every refusal has the form in which clients of that API read errors.
 * I3. Models and the Responses API are loaded for whoever may use them, and not before.
 */
import { type ModelView, mostBodyBytes } from "@byleave/api"
import { asObject, memberAt } from "@byleave/core"
import type { AgentRuns, ProgramCaller } from "../agent-runs.ts"
import { refusedBy } from "../answer-route.ts"
import { admitRunner } from "../guard/admit-runner.ts"
import { countedAnswer, countedStream } from "../guard/counted-stream.ts"
import { parseBody, withBody } from "../guard/read-body.ts"
import { starterOf, streamsKey } from "../guard/run-caller.ts"
import { runsOf } from "../handlers/runs/runs-refused.ts"
import { isRefused, type RefusedRequest, refuse } from "../refused.ts"
import type { ApiService } from "../service.ts"
import { openAiError } from "./openai-error.ts"

export function isV1(request: Request): boolean {
  return new URL(request.url).pathname.startsWith("/v1/")
}

export async function answerV1(service: ApiService, request: Request): Promise<Response> {
  try {
    const answer = await answerOf(service, request)
    return isRefused(answer) ? openAiError(answer) : answer
  } catch (error) {
    return openAiError(refusedBy(service, error))
  }
}

async function answerOf(service: ApiService, request: Request): Promise<Response | RefusedRequest> {
  const admitted = await admitRunner(service, request, mostBodyBytes)
  if (admitted === null) return refuse("not-signed-in", tokenNeeded)
  if (isRefused(admitted)) return admitted
  const { runner, text } = admitted
  const runs = runsOf(service)
  if (isRefused(runs)) return runs
  const read = text === "" ? null : parseBody(request, text, mostBodyBytes)
  if (isRefused(read)) return read
  const who = { kind: "runner", ...runner } as const
  const { conveysDecisions } = runner
  const reads = service.runReads.turnsOf(who)
  const caller = { starter: starterOf(who), conveysDecisions, reads, sent: text.length }
  const answer = async () => answerPath(runs, withBody(request, text), caller)
  const body = read === null ? undefined : asObject(read.value)
  const streams = memberAt(body, "stream") === true || new URL(request.url).searchParams.get("stream") === "true"
  if (streams) return countedStream(service.runStreams, streamsKey(who), answer)
  // Whatever ends or reads a run is answered at once, and does not count.
  const waits = request.method === "POST" && new URL(request.url).pathname === "/v1/responses"
  return waits ? countedAnswer(service.waitingAnswers, streamsKey(who), answer) : answer()
}

const tokenNeeded =
  "Send a runner token as the API key. Make one with byleave tokens add NAME --runner; one that was revoked is not accepted."

async function answerPath(runs: AgentRuns, request: Request, caller: ProgramCaller): Promise<Response> {
  const { pathname } = new URL(request.url)
  const [, , area, name] = pathname.split("/")
  if (area === "responses") return runs.answerResponses(request, caller)
  if (area === "models" && request.method === "GET") return asResponse(listedModels(runs.models(), name))
  return openAiError(
    refuse("not-found", `There is no ${request.method} ${pathname} here, only /v1/responses and /v1/models.`),
  )
}

function asResponse(answer: Response | RefusedRequest): Response {
  return isRefused(answer) ? openAiError(answer) : answer
}

function listedModels(known: readonly ModelView[], wanted: string | undefined): Response | RefusedRequest {
  const models = known.map(({ name: id }) => ({ id, object: "model", created: 0, owned_by: "byleave" }))
  if (wanted === undefined || wanted === "") return Response.json({ object: "list", data: models })
  const model = models.find(({ id }) => encodeURIComponent(id) === wanted || id === wanted)
  return model === undefined ? refuse("not-found", `The model '${wanted}' does not exist.`) : Response.json(model)
}
