/**
 * A request to its end: what a modern server wants to know first is asked of the client and given back to it, round by round, and a
 * task it makes is followed until it is done; or both are passed on to a client that deals with them itself.
 *
 * I1. A client gets a server's question or task as it is only where policy has no word in what is asked.
 * I2. A server's state leaves us sealed, bound to this call.
 * I3. Our own state reaches no server.
 * I4. Whoever withdraws a call ends the task that the server made of it.
 * I5. A server that never stops asking is not asked for ever.
 * I6. Answers go back only with a method that has them: in any other request their names are those of arguments.
 * I7. Once a server has answered, its silence says nothing of what it did: what becomes of the call is unknown, and never that nothing was done.
 * I8. What a person approved is not over before the task that a legacy server made of it.
 * I9. Whoever withdraws a call is not waited for with a question of its server.
 * I10. A call ends with a complete result or an error that was judged, also where its task ends: any other end is unknown.
 * I11. A request is not sent once more, with answers or without, for a client that is gone for good.
 */
import { type Call, type JsonObject, type JsonValue, memberAt, objectAt, textAt, without } from "@byleave/core"
import { sealServerState } from "../../hold/request-state.ts"
import type { Sending } from "../../hold/run-approved.ts"
import { LinkError } from "../../upstream/link.ts"
import { errorCode, errorReply } from "../../wire/errors.ts"
import type { Reply } from "../../wire/message.ts"
import { mayGoOn } from "../../wire/methods/methods.ts"
import { mayAskAll, tooManyQuestions } from "../../wire/question-limits.ts"
import { carry, type Load } from "../carry.ts"
import { type RequestRoute, speakerOf } from "../route.ts"
import { isOver } from "../tasks/handed-tasks.ts"
import { sealTask } from "../tasks/server-tasks.ts"
import { cannotGoOn, hasNoOddEnd, isComplete, judgedError, onlyResult } from "./final-reply.ts"
import {
  askJudged,
  asksOddly,
  cannotAsk,
  mayPass,
  mayPassAll,
  onlyQuestions,
  questionKinds,
  questionsIn,
} from "./inquiries.ts"
import { answerTo } from "./known-answer.ts"
import { pause, unlessWithdrawn } from "./unless-withdrawn.ts"

const mostRounds = 20
/** Of a task whose server cannot be reached, a second apart. */
const mostPolls = 5

export async function converse(route: RequestRoute, call: Call, load: Load, sending: Sending): Promise<Reply> {
  const { passesOn } = sending
  let params = load.ask.params ?? {}
  for (let round = 0; round < mostRounds; round += 1) {
    const asked = withParams(load, params)
    const reply = await (round === 0 ? carry(route, asked) : carryOn(route, asked))
    if (reply.kind === "error") return judgedError(route, reply, load.signal)
    const { result } = reply
    if (isComplete(result) && !isLegacyTask(params, result)) return { kind: "result", result: onlyResult(result) }
    if (passesOn && (await mayPassOn(route, result))) {
      return { kind: "result", result: passedOn(route, call, load, result) }
    }
    if (isLegacyTask(params, result)) {
      const named = route.relay.names.newTask(speakerOf(route), call.tool.tool, result, load.other)
      if (!sending.once) {
        handOver(route, call, objectAt(result, "task"))
        return { kind: "result", result: named }
      }
      sending.onTask?.(named)
      return followLegacyTask(route, load, objectAt(result, "task") ?? {})
    }
    if (result.resultType === "task") return followTask(route, load, result)
    if (result.resultType !== "input_required") return ended(route, load, reply)
    if (asksOddly(result)) throw lost(route, "it asked for more in a form that is none of MCP's.")
    if (!mayGoOn(load.ask.method)) return cannotGoOn
    const responses = await answersTo(route, load, result)
    if (!responses.ok) return responses.reply
    const { requestState } = result
    if (memberAt(result, "inputRequests") === undefined && requestState === params.requestState) {
      throw lost(route, "it asked for nothing more, and gave no answer.")
    }
    params = { ...bare(params), ...responses.params, ...(requestState === undefined ? {} : { requestState }) }
  }
  throw lost(route, `it still asked for more after ${mostRounds} rounds.`)
}

/** The end of a call: once a server has answered with something that is no result, nobody can tell what it did. */
function ended(route: RequestRoute, load: Load, reply: Reply): Reply | Promise<Reply> {
  if (reply.kind === "error") return judgedError(route, reply, load.signal)
  if (!isComplete(reply.result)) throw lost(route, "it gave a question or a task where its result belongs.")
  return { kind: "result", result: onlyResult(reply.result) }
}

/** A legacy server made a task of a call whose client wished for one. */
function isLegacyTask(params: JsonObject, result: JsonObject): boolean {
  const isTask = textAt(objectAt(result, "task"), "taskId") !== undefined
  return isTask && result.resultType === undefined && Object.hasOwn(params, "task")
}

/** A further request about a call that its server has taken on. */
async function carryOn(route: RequestRoute, load: Load): Promise<Reply> {
  try {
    return await carry(route, load)
  } catch (error) {
    throw isAway(error) ? lost(route, error.message, error) : error
  }
}

function isAway(error: unknown): error is LinkError {
  return (
    error instanceof LinkError &&
    (error.code === "unreachable" || error.code === "changed" || error.code === "refused" || error.code === "unsent")
  )
}

function lost({ relay }: RequestRoute, why: string, cause?: LinkError): LinkError {
  const words = `The server ${relay.server.id} took the call on, and then could not say what became of it: ${why}`
  return new LinkError("cut-off", words, { cause })
}

function withParams(load: Load, params: JsonObject): Load {
  return params === load.ask.params ? load : { ...load, ask: { method: load.ask.method, params } }
}

/** A client is given a server's question or task only where policy has no word in what is asked: else it is asked here. */
async function mayPassOn({ relay, caller }: RequestRoute, result: JsonObject): Promise<boolean> {
  const judging = { server: relay.server.id, who: caller }
  if (result.resultType === "task") return hasNoOddEnd(result) && mayPassAll(relay.context, judging)
  return result.resultType === "input_required" && !asksOddly(result) && mayPass(relay.context, judging, result)
}

function bare(params: JsonObject): JsonObject {
  return without(params, ["requestState", "inputResponses"])
}

function passedOn(route: RequestRoute, call: Call, { ask, other }: Load, result: JsonObject): JsonObject {
  const { context, server } = route.relay
  if (result.resultType === "task") {
    handOver(route, call, result)
    return sealTask(context, { server: server.id, principal: call.principal.id, tool: call.tool.tool, other }, result)
  }
  const asked = onlyQuestions(result)
  const state = mayGoOn(ask.method) ? textAt(asked, "requestState") : undefined
  return state === undefined ? asked : { ...asked, requestState: sealServerState(context.sealer, call, state) }
}

function handOver(route: RequestRoute, { tool: { tool } }: Call, task: JsonObject | undefined): void {
  route.relay.handedTasks.add(route, textAt(task, "taskId") ?? "", tool)
}

type Answers = { readonly ok: true; readonly params: JsonObject } | { readonly ok: false; readonly reply: Reply }

/** Asks all that the server wants to know; `inputResponses`, or the error that ends it. */
async function answersTo({ relay, caller }: RequestRoute, load: Load, result: JsonObject): Promise<Answers> {
  const requests = questionsIn(result)
  if (requests.length === 0) {
    await pause(load.signal)
    return { ok: true, params: {} }
  }
  if (!mayAskAll(requests.map(([, ask]) => ask))) return { ok: false, reply: tooManyQuestions }
  const asked = { server: relay.server.id, who: caller, inquire: load.audience.inquire, signal: load.signal }
  const replying = Promise.all(
    requests.map(async ([key, ask]) => ({
      key,
      // A modern server asks nothing else: any other method in its questions, such as one about a client's tasks, is no question.
      kind: questionKinds.get(ask.method),
      reply: questionKinds.has(ask.method) ? await askJudged(relay.context, asked, ask) : cannotAsk,
    })),
  )
  const replies = await unlessWithdrawn(load.signal, replying)
  const answers: Array<[string, JsonObject]> = []
  for (const { key, kind, reply } of replies) {
    if (reply.kind === "result" && kind !== undefined) answers.push([key, answerTo(kind, reply.result)])
    else if (kind === "elicitation") answers.push([key, { action: "cancel" }])
    else return { ok: false, reply }
  }
  return { ok: true, params: { inputResponses: Object.fromEntries(answers) } }
}

/** For requests about a call that its server has taken on, which call no tool themselves. */
function withoutJudgement({
  tool: _,
  judged: __,
  isGone: ___,
  ...same
}: Load): Omit<Load, "tool" | "judged" | "isGone"> {
  return same
}

/** The task of a server that nobody else follows: polled until it is done, its questions asked. */
async function followTask(route: RequestRoute, load: Load, created: JsonObject): Promise<Reply> {
  const taskId = textAt(created, "taskId") ?? ""
  const meta = objectAt(load.ask.params, "_meta")
  const same = withoutJudgement(load)
  const about = (method: string, more: JsonObject = {}): Load => ({
    ...same,
    ask: {
      method,
      params: { taskId, ...more, ...(meta === undefined ? {} : { _meta: without(meta, ["progressToken"]) }) },
    },
  })
  const cancel = (): void => {
    carry(route, { ...about("tasks/cancel"), asksNobody: true, signal: new AbortController().signal }).catch(() => {})
  }
  load.signal.addEventListener("abort", cancel, { once: true })
  try {
    let task = created
    for (;;) {
      const end = endOf(task)
      if (end !== null) return await ended(route, load, end)
      if (task.status === "input_required") {
        const responses = await answersTo(route, load, task)
        if (!responses.ok) {
          cancel()
          return responses.reply
        }
        await carryOn(route, about("tasks/update", responses.params))
      }
      await pause(load.signal, intervalOf(memberAt(task, "pollIntervalMs")))
      const reply = await poll(route, about("tasks/get"))
      if (reply.kind === "error") throw lost(route, reply.error.message)
      task = reply.result
    }
  } finally {
    load.signal.removeEventListener("abort", cancel)
  }
}

/** Follows a legacy server's task until it is over. Meanwhile the server asks its questions of its client, which has the task. */
async function followLegacyTask(route: RequestRoute, load: Load, created: JsonObject): Promise<Reply> {
  const taskId = textAt(created, "taskId") ?? ""
  const same = withoutJudgement(load)
  const about = (method: string): Load => ({ ...same, ask: { method, params: { taskId } } })
  const cancel = (): void => {
    carry(route, { ...about("tasks/cancel"), asksNobody: true, signal: new AbortController().signal }).catch(() => {})
  }
  load.signal.addEventListener("abort", cancel, { once: true })
  try {
    let task = created
    while (!isOver(task)) {
      await pause(load.signal, intervalOf(memberAt(task, "pollInterval")))
      const reply = await poll(route, about("tasks/get"))
      if (reply.kind === "error") throw lost(route, reply.error.message)
      task = reply.result
    }
    if (task.status === "cancelled") return errorReply(errorCode.internal, "The server's task was cancelled.")
    const reply = await carryOn(route, about("tasks/result"))
    if (reply.kind === "error" && task.status === "completed") throw lost(route, reply.error.message)
    return await ended(route, load, reply)
  } finally {
    load.signal.removeEventListener("abort", cancel)
  }
}

function intervalOf(every: JsonValue | undefined): number {
  return typeof every === "number" ? Math.min(Math.max(every, 50), 30_000) : 1_000
}

/** A server that is away for a moment, as for a restart, is asked again. */
async function poll(route: RequestRoute, load: Load): Promise<Reply> {
  for (let tried = 1; tried < mostPolls; tried += 1) {
    try {
      return await carry(route, load)
    } catch (error) {
      if (!isAway(error)) throw error
      await pause(load.signal, 1_000)
    }
  }
  return carryOn(route, load)
}

/** The outcome of a server's task; null while it is running. */
function endOf(task: JsonObject): Reply | null {
  if (task.status === "completed") return { kind: "result", result: objectAt(task, "result") ?? {} }
  if (task.status === "failed") return { kind: "error", error: taskError(task) }
  if (task.status === "cancelled") return errorReply(errorCode.internal, "The server cancelled its task.")
  return null
}

function taskError(task: JsonObject): { code: number; message: string } {
  const said = objectAt(task, "error")
  const code = typeof said?.code === "number" ? said.code : -32603
  return { ...said, code, message: textAt(said, "message") ?? "The server's task failed." }
}
