/**
 * The reply by which a server ends a request. What it still wants to know is asked before, or passed on as a question; it never goes by as the answer.
 *
 * I1. Only a complete result is a result: a question or a task in its place reaches nobody, wherever a server puts it, and however it spells the names of
 *     its members. What would ask beside a complete result is left out.
 * I2. Elicitations that a server sends as an error (-32042) are questions: where a rule is about elicitation, none reaches a client before the gate has had
 *     its word, and they leave us as they were judged, built anew.
 * I3. In no other error, and in none of a task that a client follows by itself, are elicitations that a rule is about, whatever its code and however that is
 *     written: where a rule is about elicitation, it is built anew without them.
 */
import { asObject, type JsonObject, listAt, memberAt, objectAt, textAt, without } from "@byleave/core"
import { errorCode, errorReply, rpcError } from "../../wire/errors.ts"
import type { Ask, Reply, RpcError } from "../../wire/message.ts"
import { hasTwin, withOwn, withoutTwins } from "../../wire/names/twin-names.ts"
import { mayAskAll, tooManyQuestions } from "../../wire/question-limits.ts"
import type { Signal } from "../../wire/signal.ts"
import type { RequestRoute } from "../route.ts"
import { askJudged, passing } from "./inquiries.ts"

type ErrorReply = Extract<Reply, { kind: "error" }>

const asking = ["inputRequests", "requestState"]

export function isComplete(result: JsonObject): boolean {
  return isTypedComplete(result) && !hasTwin(result, asking)
}

/** Without a type it is complete: the legacy era has none. */
function isTypedComplete(result: JsonObject): boolean {
  const { resultType } = result
  return (resultType === undefined || resultType === "complete") && !hasTwin(result, ["resultType"])
}

/** A complete result, and nothing that asks beside it. */
export function onlyResult(result: JsonObject): JsonObject {
  return without(result, asking)
}

/** For requests whose method cannot go on after a question. */
export const cannotGoOn = errorReply(
  errorCode.internal,
  "The server asked for more before it answers, which this method has no way to give.",
)

/** The reply to a request that cannot go on after a question: complete, or an error. */
export function finalReply(route: RequestRoute, method: string, reply: Reply, signal: Signal): Reply | Promise<Reply> {
  if (reply.kind === "error") return judgedError(route, reply, signal)
  const { result } = reply
  // A task has its questions in it, which are judged where it is shown.
  if (method === "tasks/get") return isTypedComplete(result) ? reply : cannotGoOn
  return isComplete(result) ? { kind: "result", result: onlyResult(result) } : cannotGoOn
}

/** A server's error as its client may have it. */
export function judgedError(route: RequestRoute, reply: ErrorReply, signal: Signal): Reply | Promise<Reply> {
  if (reply.error.code === errorCode.urlElicitationRequired) return judgeElicitations(route, reply, signal)
  return isPlain(reply.error) ? reply : withoutElicitations(route, reply)
}

function isPlain(error: RpcError): boolean {
  return typeof error.code === "number" && Object.keys(error).every((key) => key === "code" || key === "message")
}

async function withoutElicitations(route: RequestRoute, reply: ErrorReply): Promise<Reply> {
  return (await isUnruled(route)) ? reply : { kind: "error", error: quietError({ ...reply.error }) }
}

/** An error built anew, with nothing that asks. */
function quietError(said: JsonObject): RpcError {
  const code = typeof said.code === "number" ? said.code : errorCode.internal
  if (code === errorCode.urlElicitationRequired) return notPassedOn.error
  const data = memberAt(said, "data")
  const members = asObject(data)
  const message = textAt(said, "message") ?? "The server failed and did not say why."
  return rpcError(code, message, members === undefined ? data : withoutTwins(members, "elicitations"))
}

async function judgeElicitations(route: RequestRoute, reply: ErrorReply, signal: Signal): Promise<Reply> {
  const { relay, caller } = route
  if (await isUnruled(route)) return reply
  const asks = elicitationsIn(reply.error).map((params) => ({ method: "elicitation/create", params }))
  if (!mayAskAll(asks)) return tooManyQuestions
  // Nobody is asked yet: what may be asked comes back as it was approved, for the client to ask its user.
  const inquire = async ({ params = {} }: Ask): Promise<Reply> => ({ kind: "result", result: params })
  const asked = { server: relay.server.id, who: caller, inquire, signal }
  const judged = await Promise.all(asks.map((ask) => askJudged(relay.context, asked, ask)))
  const elicitations = judged.flatMap((answer) => (answer.kind === "result" ? [elicitationFrom(answer.result)] : []))
  if (elicitations.length === 0 || elicitations.length < judged.length) return notPassedOn
  return errorReply(reply.error.code, reply.error.message, { elicitations })
}

const notPassedOn: ErrorReply = {
  kind: "error",
  error: rpcError(
    errorCode.internal,
    "The server wants its user to open a web page before it goes on, and may not ask for that: policy or a reviewer refused it. Do not retry.",
  ),
}

/** Whether no rule is about elicitation, whatever is asked. */
async function isUnruled({ relay, caller }: RequestRoute): Promise<boolean> {
  return (await passing(relay.context, { server: relay.server.id, who: caller })).has("elicitation")
}

function elicitationsIn({ data }: RpcError): readonly JsonObject[] {
  return (listAt(asObject(data), "elicitations") ?? []).map((entry) => elicitationFrom(asObject(entry)))
}

/** The members of an elicitation by URL, besides its mode. */
export const elicitationMembers = ["elicitationId", "url", "message"] as const

/** An elicitation built anew from its members, as far as they are there. */
function elicitationFrom(given: JsonObject | undefined): JsonObject {
  const texts = elicitationMembers.flatMap((member) => {
    const text = textAt(given, member)
    return text === undefined ? [] : [[member, text] as const]
  })
  return { mode: "url", ...Object.fromEntries(texts) }
}

/** Whether a task, if it is done, has a result for its result. */
export function hasNoOddEnd(task: JsonObject): boolean {
  const result = objectAt(task, "result")
  return !hasTwin(task, ["result", "error"]) && (result === undefined || isComplete(result))
}

/** A task as the client that follows it by itself may see it; null: what it gives as its result is none. */
export async function withJudgedEnd(route: RequestRoute, task: JsonObject): Promise<JsonObject | null> {
  if (!hasNoOddEnd(task)) return null
  const result = objectAt(task, "result")
  const ended = result === undefined ? task : withOwn(task, { result: onlyResult(result) })
  if (memberAt(task, "error") === undefined || (await isUnruled(route))) return ended
  return { ...ended, error: { ...quietError(objectAt(task, "error") ?? {}) } }
}
