/**
 * Answers that a client gives to a server by itself, beside what it asks.
 *
 * I1. A server is given no answer to a kind of question that a rule is about: where one is, we ask ourselves, and such answers come another way.
 * I2. A client that declares no roots gives a server none.
 */
import { asObject, type JsonObject, type JsonValue, objectAt, textAt } from "@byleave/core"
import { errorCode, errorReply } from "../../wire/errors.ts"
import type { Routed } from "../route.ts"
import type { ServerRelay } from "../server-relay.ts"
import { declaresRoots, type Judging, passing, type QuestionKind, questionKinds } from "../talk/inquiries.ts"
import { openTask } from "../tasks/server-tasks.ts"

/** Whether it answers the server what nobody but us would have asked. Tasks of ours know what they asked. */
export async function hasUnasked({ relay, caller, exchange }: Routed): Promise<boolean> {
  const { params } = exchange.ask
  const responses = objectAt(params, "inputResponses")
  if (responses === undefined) return false
  const task = textAt(params, "taskId")
  if (task !== undefined && openTask(relay.context, task, caller.principal.id) === null) return false
  return !(await mayAnswer(relay, { server: relay.server.id, who: caller }, responses))
}

export const unasked = errorReply(
  errorCode.invalidParams,
  "inputResponses has an answer of a kind that a rule of the policy is about, or roots that this client does not declare. No such question was passed on to you.",
)

async function mayAnswer({ context }: ServerRelay, to: Judging, responses: JsonObject): Promise<boolean> {
  const answers = Object.values(responses)
  if (answers.length === 0) return true
  if (!declaresRoots(to.who) && answers.some((answer) => marksOf(answer).includes("roots"))) return false
  const allowed = await passing(context, to)
  return answers.every((answer) => kindsOf(answer).every((kind) => allowed.has(kind)))
}

/** The members by which an answer is known, in small letters. */
const marks = new Map<string, QuestionKind>([
  ["action", "elicitation"],
  ["roots", "roots"],
  ["role", "sampling"],
  ["model", "sampling"],
  ["stopreason", "sampling"],
])

/** Everything an answer may be taken for: all there is where it does not show. */
function kindsOf(answer: JsonValue): readonly QuestionKind[] {
  const known = marksOf(answer)
  return known.length === 0 ? [...questionKinds.values()] : known
}

function marksOf(answer: JsonValue): readonly QuestionKind[] {
  return Object.keys(asObject(answer) ?? {}).flatMap((key) => marks.get(key.toLowerCase()) ?? [])
}
