/**
 * A request to its end: what a modern server wants to know first is asked of the client and given back to it, round by round, and a
 * task it makes is followed until it is done; or both are passed on to a client that deals with them itself.
 *
 * I1. A client gets a server's question or task as it is only where policy has no word in what is asked.
 * I2. A server's state leaves us sealed, bound to this call.
 * I3. Our own state reaches no server.
 * I4. Whoever withdraws a call ends the task that the server made of it.
 * I5. A server that never stops asking is not asked for ever.
 */
import type { Call, JsonObject } from "@byleave/core"
import type { HoldContext } from "../hold/context.ts"
import type { Carrying } from "../hold/gated-call.ts"
import { sealServerState } from "../hold/request-state.ts"
import { LinkError } from "../upstream/link.ts"
import { errorCode, errorReply } from "../wire/errors.ts"
import { memberAt, objectAt, textAt, without } from "../wire/members.ts"
import type { Reply } from "../wire/message.ts"
import type { Signal } from "../wire/signal.ts"
import { carry, type Destination, type Load } from "./carry.ts"
import { askJudged, mayPass, mayPassAll, questionsIn } from "./inquiries.ts"
import { sealTask } from "./server-tasks.ts"

const mostRounds = 20
const pauseMs = 250

export async function converse(
  context: HoldContext,
  to: Destination,
  call: Call,
  load: Load,
  carrying: Carrying,
): Promise<Reply> {
  let params = continued(load.ask.params ?? {}, carrying.continuation)
  for (let round = 0; round < mostRounds; round += 1) {
    const reply = await carry(context, to, withParams(load, params))
    if (reply.kind === "error") return reply
    const { result } = reply
    if (carrying.passesOn && (await mayPassOn(context, to, load, result)))
      return { kind: "result", result: passedOn(context, to, call, result) }
    if (result.resultType === "task") return followTask(context, to, load, result)
    if (result.resultType !== "input_required") return reply
    const responses = await answersTo(context, to, load, result)
    if (!responses.ok) return responses.reply
    const { requestState } = result
    params = { ...bare(params), ...responses.params, ...(requestState === undefined ? {} : { requestState }) }
  }
  return tooManyRounds
}

function withParams(load: Load, params: JsonObject): Load {
  return params === load.ask.params ? load : { ...load, ask: { method: load.ask.method, params } }
}

/** A client is given a server's question or task only where policy has no word in what is asked: else it is asked here. */
async function mayPassOn(context: HoldContext, to: Destination, load: Load, result: JsonObject): Promise<boolean> {
  const judging = { server: to.server, who: load.caller }
  if (result.resultType === "task") return mayPassAll(context, judging)
  return result.resultType === "input_required" ? mayPass(context, judging, result) : true
}

const tooManyRounds: Reply = {
  kind: "error",
  error: { code: -32603, message: `The server still asked for more after ${mostRounds} rounds.` },
}

function bare(params: JsonObject): JsonObject {
  return without(params, ["requestState", "inputResponses"])
}

/** The server's own state in place of ours, and the client's answers. */
function continued(params: JsonObject, { state, responses }: Carrying["continuation"]): JsonObject {
  if (state === undefined && responses === undefined) return bare(params)
  return {
    ...bare(params),
    ...(responses === undefined ? {} : { inputResponses: responses }),
    ...(state === undefined ? {} : { requestState: state }),
  }
}

function passedOn(context: HoldContext, to: Destination, call: Call, result: JsonObject): JsonObject {
  if (result.resultType === "task") return sealTask(context, to.server, call.principal.id, result)
  const state = result.resultType === "input_required" ? textAt(result, "requestState") : undefined
  return state === undefined ? result : { ...result, requestState: sealServerState(context.sealer, call, state) }
}

type Answers = { readonly ok: true; readonly params: JsonObject } | { readonly ok: false; readonly reply: Reply }

/** Asks all that the server wants to know; `inputResponses`, or the error that ends it. */
async function answersTo(context: HoldContext, to: Destination, load: Load, result: JsonObject): Promise<Answers> {
  const requests = questionsIn(result)
  if (requests.length === 0) {
    await pause(load.signal)
    return { ok: true, params: {} }
  }
  const asked = { server: to.server, who: load.caller, inquire: load.audience.inquire, signal: load.signal }
  const replies = await Promise.all(
    requests.map(async ([key, ask]) => ({ key, method: ask.method, reply: await askJudged(context, asked, ask) })),
  )
  const answers: Array<[string, JsonObject]> = []
  for (const { key, method, reply } of replies) {
    if (reply.kind === "result") answers.push([key, without(reply.result, ["resultType"])])
    else if (method === "elicitation/create") answers.push([key, { action: "cancel" }])
    else return { ok: false, reply }
  }
  return { ok: true, params: { inputResponses: Object.fromEntries(answers) } }
}

/** The task of a server that nobody else follows: polled until it is done, its questions asked. */
async function followTask(context: HoldContext, to: Destination, load: Load, created: JsonObject): Promise<Reply> {
  const taskId = textAt(created, "taskId") ?? ""
  const meta = objectAt(load.ask.params, "_meta")
  const about = (method: string, more: JsonObject = {}): Load => ({
    ...load,
    ask: {
      method,
      params: { taskId, ...more, ...(meta === undefined ? {} : { _meta: without(meta, ["progressToken"]) }) },
    },
  })
  const cancel = (): void => {
    carry(context, to, { ...about("tasks/cancel"), signal: new AbortController().signal }).catch(() => {})
  }
  load.signal.addEventListener("abort", cancel, { once: true })
  try {
    let task = created
    for (;;) {
      const end = endOf(task)
      if (end !== null) return end
      if (task.status === "input_required") {
        const responses = await answersTo(context, to, load, task)
        if (!responses.ok) {
          cancel()
          return responses.reply
        }
        await carry(context, to, about("tasks/update", responses.params))
      }
      const every = memberAt(task, "pollIntervalMs")
      await pause(load.signal, typeof every === "number" ? Math.min(Math.max(every, 50), 30_000) : 1_000)
      const reply = await carry(context, to, about("tasks/get"))
      if (reply.kind === "error") return reply
      task = reply.result
    }
  } finally {
    load.signal.removeEventListener("abort", cancel)
  }
}

/** What became of a server's task; null while it is at it. */
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

function pause(signal: Signal, ms = pauseMs): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(new LinkError("withdrawn", "The caller withdrew while the server was still at it."))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
  })
}
