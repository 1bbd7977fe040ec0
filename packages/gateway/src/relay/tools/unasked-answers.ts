/**
 * Answers that a client gives to a server by itself, beside what it asks.
 *
 * I1. A server is given no answer to a kind of question that a rule is about: where one is, we ask ourselves, and such answers come another way.
 * I2. A client that declares no roots gives a server none.
 * I3. Answers go on as they were looked at, and are nothing else besides. What a task is told that answers nothing is left out: servers ignore it.
 */
import { type JsonObject, memberAt, objectAt, textAt } from "@byleave/core"
import { errorCode, errorReply } from "../../wire/errors.ts"
import { changedExchange } from "../../wire/exchange.ts"
import type { Reply } from "../../wire/message.ts"
import type { Routed, Understood } from "../route.ts"
import { declaresRoots, passing, type QuestionKind } from "../talk/inquiries.ts"
import { hasNoAnswer, knownAnswer } from "../talk/known-answer.ts"
import { openTask } from "../tasks/server-tasks.ts"

/** The same request, if it answers the server nothing but what may be answered unasked. Tasks of ours know what they asked. */
export async function withKnownAnswers(routed: Routed): Promise<Understood> {
  const { relay, caller, exchange } = routed
  const { method, params } = exchange.ask
  const responses = objectAt(params, "inputResponses")
  if (responses === undefined || Object.keys(responses).length === 0) return { ok: true, routed }
  const task = textAt(params, "taskId")
  if (task !== undefined && openTask(relay.context, task, caller.principal.id) === null) return { ok: true, routed }
  const given = method === "tasks/update" ? answersIn(responses) : responses
  const built = buildAnswers(given, relay.context.unknownParams())
  if (!built.ok) return built
  if (!declaresRoots(caller) && built.answers.some(([, answer]) => memberAt(answer, "roots") !== undefined))
    return unasked
  const allowed = await passing(relay.context, { server: relay.server.id, who: caller })
  if (built.kinds.some((kind) => !allowed.has(kind))) return unasked
  if (given === responses && built.answers.every(([key, answer]) => answer === responses[key]))
    return { ok: true, routed }
  const ask = { method, params: { ...params, inputResponses: Object.fromEntries(built.answers) } }
  return {
    ok: true,
    routed: { ...routed, exchange: changedExchange(exchange, { ask }), dropped: [...routed.dropped, ...built.dropped] },
  }
}

/** The same object where nothing had to be left out. */
function answersIn(responses: JsonObject): JsonObject {
  const answers = Object.entries(responses).filter(([, given]) => !hasNoAnswer(given))
  return answers.length === Object.keys(responses).length ? responses : Object.fromEntries(answers)
}

type BuiltAnswers = {
  readonly ok: true
  readonly answers: ReadonlyArray<readonly [string, JsonObject]>
  readonly kinds: readonly QuestionKind[]
  readonly dropped: readonly string[]
}

function buildAnswers(
  responses: JsonObject,
  unknown: "refuse" | "drop",
): BuiltAnswers | { readonly ok: false; readonly reply: Reply } {
  const answers: Array<readonly [string, JsonObject]> = []
  const kinds: QuestionKind[] = []
  const dropped: string[] = []
  for (const [key, given] of Object.entries(responses)) {
    const known = knownAnswer(given, unknown)
    if (!known.ok) return { ok: false, reply: noAnswer(known.member) }
    answers.push([key, known.answer])
    kinds.push(...known.kinds)
    dropped.push(...known.dropped.map((member) => `inputResponses.${key}.${member}`))
  }
  return { ok: true, answers, kinds, dropped }
}

const unasked = {
  ok: false,
  reply: errorReply(
    errorCode.invalidParams,
    "inputResponses has an answer of a kind that a rule of the policy is about, or roots that this client does not declare. No such question was passed on to you.",
  ),
} as const

/** Names come from outside: shortened, and as JSON. */
function noAnswer(member: string | null): Reply {
  const form = "An answer has the members of one kind: of elicitation, sampling or roots."
  const which = member === null ? "" : ` ${JSON.stringify(member.slice(0, 100))} is none of them, or not of its type.`
  return errorReply(errorCode.invalidParams, `inputResponses has something that answers no question. ${form}${which}`)
}
