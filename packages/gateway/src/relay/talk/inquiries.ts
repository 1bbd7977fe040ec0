/**
 * Questions of servers to clients.
 *
 * I1. A question that a rule is about reaches no client before the gate has had its word.
 * I2. A client follows a task by itself only where no rule is about any question.
 * I3. Questions that a rule is about are in no task that a client is shown.
 * I4. Questions leave us as they were judged, built anew; what only reads like one, by another spelling or in another form, does not leave us.
 * I5. Only a client that declares roots is asked for them: what calls are judged and shown by rests on that.
 * I6. An answer does not reach a server that may not ask by the time it is given.
 */
import { asObject, type Call, type JsonObject, memberAt, objectAt, type TargetKind, textAt } from "@byleave/core"
import type { HoldContext } from "../../hold/context.ts"
import type { Caller } from "../../wire/caller.ts"
import { errorCode, errorReply } from "../../wire/errors.ts"
import type { Ask, Reply } from "../../wire/message.ts"
import { methodRow } from "../../wire/methods/methods.ts"
import { foldedName } from "../../wire/names/twin-names.ts"
import { replyOfOutcome, runOutcomeOf } from "../../wire/outcome-reply.ts"
import { mayAskAll, mostQuestions } from "../../wire/question-limits.ts"
import { type Signal, whenAborted } from "../../wire/signal.ts"
import { newestLegacy } from "../../wire/versions.ts"

export type QuestionKind = Exclude<TargetKind, "tool" | "resource" | "prompt" | "method">

/** The questions of servers, by their methods. */
export const questionKinds = new Map<string, QuestionKind>([
  ["sampling/createMessage", "sampling"],
  ["elicitation/create", "elicitation"],
  ["roots/list", "roots"],
])

/** The client that a server's question is for. */
export type InquiryContext = {
  readonly server: string
  readonly who: Pick<Caller, "principal" | "session" | "abilities">
  readonly inquire: (ask: Ask) => Promise<Reply>
  /** The request it belongs to is over or withdrawn: nobody waits for a person's answer any more. */
  readonly signal?: Signal
}

/** A server's question to its client passes unless a rule is about it; then the gate judges it first. */
export async function askJudged(context: HoldContext, asked: InquiryContext, ask: Ask): Promise<Reply> {
  const kind = questionKinds.get(ask.method)
  if (kind === undefined) return askUnjudged(asked, ask)
  const { server, who, signal } = asked
  if (kind === "roots" && !declaresRoots(who)) return cannotAsk
  const args = ask.params ?? {}
  const inquire = async (question: Ask): Promise<Reply> => {
    const reply = await asked.inquire(question)
    if (!(await mayAsk(context, asked, kind, args))) return cannotAsk
    if (kind === "roots" && reply.kind === "result") context.seen.roots(who.session, reply.result)
    return reply
  }
  const decision = await context.gate.judge({ server, kind, name: kind }, args, who)
  if (decision.because.kind === "passes") return inquire(ask)
  const call: Call = { kind, tool: { server, tool: kind }, args, principal: who.principal, session: who.session }
  const withdrawn = signal === undefined ? null : whenAborted(signal)
  try {
    const outcome = await context.gate.submit(
      call,
      async (params) => runOutcomeOf(await inquire({ method: ask.method, params })),
      withdrawn === null ? {} : { until: () => withdrawn.given, isWanted: () => signal?.aborted !== true },
    )
    return replyOfOutcome(outcome, { call, era: "legacy", inbox: context.inbox() })
  } finally {
    withdrawn?.end()
  }
}

/**
 * Whether policy lets a server ask this client such a question: nothing hides or denies it. Without `args`, only rules about all questions of the kind are
 * judged.
 */
export async function mayAsk(
  { gate }: Pick<HoldContext, "gate">,
  { server, who }: Pick<Judging, "server"> & { readonly who: Pick<Caller, "principal" | "session"> },
  kind: QuestionKind,
  args?: JsonObject,
): Promise<boolean> {
  const { effect } = await gate.judge({ server, kind, name: kind }, args, who)
  return effect !== "hide" && effect !== "deny"
}

/**
 * Handles what is no question of a kind: such as is about a client's own task, which is judged where that is known by its name (exchanged-names I4), or
 * such as does not pass. The connection lets only known methods come here.
 */
function askUnjudged(asked: InquiryContext, ask: Ask): Promise<Reply> {
  const row = methodRow("server", "request", ask.method, newestLegacy)
  return row?.handling === "relayed" ? asked.inquire(ask) : Promise.resolve(cannotAsk)
}

export const cannotAsk: Reply = errorReply(errorCode.methodNotFound, "The client cannot be asked this.")

/** A relative path is judged, and a card drawn, by whether the agent says where it starts. */
export function declaresRoots({ abilities }: Pick<Caller, "abilities">): boolean {
  return Object.hasOwn(abilities, "roots")
}

export type Judging = Pick<InquiryContext, "server" | "who">

/** The questions to the client in a modern server's result, by key. */
export function questionsIn(result: JsonObject): ReadonlyArray<readonly [string, Ask]> {
  return Object.entries(objectAt(result, "inputRequests") ?? {}).map(([key, request]) => {
    const inner = asObject(request)
    const method = textAt(inner, "method") ?? ""
    const params = objectAt(inner, "params")
    return [key, params === undefined ? { method } : { method, params }]
  })
}

/** Whether a client may be given these questions as they are: no rule is about any of them. */
export async function mayPass(context: HoldContext, to: Judging, result: JsonObject): Promise<boolean> {
  const questions = questionsIn(result).map(([, ask]) => ask)
  // Too many are not passed on: they are refused where they would be asked.
  if (!mayAskAll(questions)) return false
  const passing = await Promise.all(questions.map((ask) => passes(context, to, ask)))
  return !passing.includes(false)
}

/** Whether a client may follow a server's task by itself, which may come to ask anything: no rule is about any question. */
export async function mayPassAll(context: HoldContext, to: Judging): Promise<boolean> {
  return (await passing(context, to)).size === questionKinds.size
}

/** The kinds of questions that no rule is about. */
export async function passing(context: HoldContext, { server, who }: Judging): Promise<ReadonlySet<QuestionKind>> {
  const all = [...questionKinds.values()]
  const judged = await Promise.all(all.map((kind) => context.gate.judge({ server, kind, name: kind }, undefined, who)))
  return new Set(all.filter((_, at) => judged[at]?.because.kind === "passes"))
}

/** Whether it asks in a form that is none of MCP's: nobody could judge that. */
export function asksOddly(result: JsonObject): boolean {
  return memberAt(result, "inputRequests") !== undefined && objectAt(result, "inputRequests") === undefined
}

const inputMembers = ["resultType", "requestState", "_meta"]

/** The members of a result that ask questions; all others are left out. */
export function onlyQuestions(result: JsonObject): JsonObject {
  const kept = Object.entries(result).filter(([key]) => inputMembers.includes(key))
  return { ...Object.fromEntries(kept), ...questionsMember(result, questionsIn(result)) }
}

const asking = foldedName("inputRequests")

/** A task as its client may see it: without questions that a rule is about. */
export async function withoutJudged(context: HoldContext, to: Judging, task: JsonObject): Promise<JsonObject> {
  const kept: Array<readonly [string, Ask]> = []
  for (const [key, ask] of questionsIn(task).slice(0, mostQuestions))
    if (await passes(context, to, ask)) kept.push([key, ask])
  const others = Object.entries(task).filter(([key]) => foldedName(key) !== asking)
  return others.length === Object.keys(task).length
    ? task
    : { ...Object.fromEntries(others), ...questionsMember(task, kept) }
}

function questionsMember(given: JsonObject, questions: ReadonlyArray<readonly [string, Ask]>): JsonObject {
  if (objectAt(given, "inputRequests") === undefined) return {}
  return { inputRequests: Object.fromEntries(questions.map(([key, ask]) => [key, { ...ask }])) }
}

async function passes(context: HoldContext, { server, who }: Judging, { method, params }: Ask): Promise<boolean> {
  const kind = questionKinds.get(method)
  if (kind === undefined || (kind === "roots" && !declaresRoots(who))) return false
  const { because } = await context.gate.judge({ server, kind, name: kind }, params ?? {}, who)
  return because.kind === "passes"
}
