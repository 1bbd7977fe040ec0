/**
 * The far end of AG-UI 1.0: one POST is one run of the protocol, which is one leg of ours or several.
 *
 * I1. A run that waits ends with one interrupt for each call that nobody has answered; its id is the approval's.
 * I2. A resume answers all of them or nothing happens. New words are refused while one is open.
 * I3. What was answered elsewhere stays as it was answered.
 * I4. A resume answers an interrupt once. It is compared with what the run knows of its calls: no call is read for it.
 */
import {
  type AgentRun,
  asObject,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  memberAt,
  objectAt,
  openCallsOf,
  textAt,
} from "@byleave/core"
import type { Waiting } from "../runs.ts"
import { type AgUiEvent, agUiEvents, endEvent, interruptOf, runError } from "./ag-ui-events.ts"
import { conveyDecisions, legThatAsked, waitsWords } from "./convey-decisions.ts"
import { eventStream } from "./event-stream.ts"
import { findRun, withThread } from "./find-run.ts"
import { followRun } from "./follow-run.ts"
import type { FrontCaller, FrontPorts } from "./front-ports.ts"
import { refusalWords } from "./refusal-words.ts"
import { approvalsOfRun } from "./run-approvals.ts"
import { runOfMessage } from "./run-turns.ts"
import { wishIn } from "./ui-chat.ts"
import type { RequirementDecision } from "./ui-messages.ts"
import { newInput, readBody } from "./user-input.ts"

type AgUiInput = {
  readonly ids: { readonly threadId: string; readonly runId: string }
  readonly body: JsonObject
  readonly messages: readonly JsonValue[]
  readonly resume: readonly ResumeEntry[]
}
type ResumeEntry = { readonly interruptId: string; readonly decision: RequirementDecision }

/** The result of a request: a run to follow, or an error to report. */
type Begun =
  | { readonly ok: true; readonly run: string; readonly after: number; readonly wait: boolean }
  | { readonly ok: false; readonly event: AgUiEvent }

export async function answerAgUi(ports: FrontPorts, request: Request, caller: FrontCaller): Promise<Response> {
  const input = await readInput(request)
  if (typeof input === "string") return Response.json({ error: input }, { status: 400 })
  const stop = new AbortController()
  const signal = AbortSignal.any([request.signal, stop.signal])
  const events = eventsFor(ports, input, caller, signal)
  const stream = new ReadableStream<AgUiEvent>({
    pull: async (controller) => {
      const { done, value } = await events.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => stop.abort(),
  })
  return eventStream(stream, { keepAliveMs: ports.keepAliveMs })
}

async function* eventsFor(
  ports: FrontPorts,
  input: AgUiInput,
  caller: FrontCaller,
  signal: AbortSignal,
): AsyncGenerator<AgUiEvent> {
  yield { type: "RUN_STARTED", ...input.ids }
  const begun = await begin(ports, input, caller)
  if (!begun.ok) return yield begun.event
  const events = agUiEvents(begun.run)
  for await (const step of followRun(ports, begun.run, { ...begun, signal })) {
    if (step.kind === "chunk") yield* events(step)
    else if (step.kind === "retry") yield { type: "CUSTOM", name: "byleave.retry", value: { attempt: step.attempt } }
    else if (step.kind === "waits") yield { type: "CUSTOM", name: "byleave.waiting", value: step.for.map(interruptOf) }
    else yield endEvent(input.ids, step.run, step.waiting)
  }
}

async function begin(ports: FrontPorts, input: AgUiInput, caller: FrontCaller): Promise<Begun> {
  const said = newInput(input.messages, contentParts)
  if (!said.ok) return no("invalid-input", said.problem)
  const run = await runOfThread(ports, input, caller)
  if (run === undefined) {
    if (said.messages.length === 0) return no("run-not-found", "There is no such run, and no message to begin one.")
    const order = await ports.orderFor(wishOf(input), caller)
    if ("problem" in order) return no("invalid-input", order.problem)
    const thread = withThread(order, input.ids.threadId)
    const started = await ports.runs.start({ ...thread, messages: said.messages }, caller.starter)
    return started.ok ? follow(started.run, 0) : no(started.refusal.code, refusalWords(started.refusal))
  }
  const waiting = await ports.runs.waitsFor(run)
  if (input.resume.length > 0) return resume(ports, run, waiting, input.resume, caller)
  if (said.messages.length === 0) {
    const isFailed = run.status === "failed" && run.retryable
    return isFailed ? goOn(ports, run, [], caller) : follow(run, run.status === "running" ? run.legs - 1 : run.legs)
  }
  if (waiting.length > 0) return no("run-waits", waitsWords(waiting))
  return goOn(ports, run, said.messages, caller)
}

async function resume(
  ports: FrontPorts,
  run: AgentRun,
  waiting: readonly Waiting[],
  entries: readonly ResumeEntry[],
  caller: FrontCaller,
): Promise<Begun> {
  const answered = new Set(entries.map(({ interruptId }) => interruptId))
  const strays = await strayInterrupts(ports, run, answered)
  if (strays.length > 0) return no("unknown-interrupt", `The run has no interrupt ${strays.join(", ")}.`)
  const missing = waiting.filter(({ approval }) => !answered.has(approval.id))
  if (missing.length > 0) return no("run-waits", waitsWords(missing))
  const decisions = entries.map(({ decision }) => decision)
  const unanswered = await conveyDecisions(ports, run, decisions, caller)
  const after = await legThatAsked(ports, run, decisions)
  return { ok: true, run: run.id, after, wait: unanswered.length > 0 }
}

/** Those that are none of the run's: neither of what it waits for or goes on with, nor of an earlier leg. */
async function strayInterrupts(
  ports: FrontPorts,
  run: AgentRun,
  answered: ReadonlySet<string>,
): Promise<readonly string[]> {
  const open = new Set(openCallsOf(run).map(({ approval }) => approval))
  const others = [...answered].filter((id) => !open.has(id))
  if (others.length === 0) return []
  const approvals = await approvalsOfRun(ports, run)
  const known = new Set([...approvals.values()].map(({ id }) => id))
  return others.filter((id) => !known.has(id))
}

async function goOn(
  ports: FrontPorts,
  run: AgentRun,
  messages: Parameters<FrontPorts["runs"]["go"]>[1]["messages"] & object,
  caller: FrontCaller,
): Promise<Begun> {
  const gone = await ports.runs.go(run.id, { messages }, caller.starter.id)
  return gone.ok ? follow(gone.run, run.legs) : no(gone.refusal.code, refusalWords(gone.refusal))
}

/** By the thread where that is a run's id, by the run's own messages in it, or by what is answered. */
async function runOfThread(
  ports: FrontPorts,
  { ids, messages, resume: entries }: AgUiInput,
  caller: FrontCaller,
): Promise<AgentRun | undefined> {
  const [first] = entries
  const approval = first === undefined ? undefined : await ports.gate.approval(first.interruptId)
  const own = messages.flatMap((message) => runOfMessage(textAt(asObject(message), "id") ?? "") ?? [])
  return findRun(ports, caller, { thread: ids.threadId, ids: [own.at(-1), approval?.session.id] })
}

async function readInput(request: Request): Promise<AgUiInput | string> {
  const read = await readBody(request)
  const threadId = textAt(read?.body, "threadId")
  const runId = textAt(read?.body, "runId")
  if (read === null || threadId === undefined || runId === undefined) {
    return "The body is not AG-UI's RunAgentInput: threadId, runId or messages are missing."
  }
  const resume = new Map<string, ResumeEntry>()
  for (const entry of listAt(read.body, "resume") ?? []) {
    const taken = resumeEntry(asObject(entry))
    if (typeof taken === "string") return taken
    if (resume.has(taken.interruptId)) return `Two entries of resume answer ${taken.interruptId}. Answer it once.`
    resume.set(taken.interruptId, taken)
  }
  return { ids: { threadId, runId }, ...read, resume: [...resume.values()] }
}

function resumeEntry(entry: JsonObject | undefined): ResumeEntry | string {
  const interruptId = textAt(entry, "interruptId")
  if (interruptId === undefined) return "An entry of resume has no interruptId."
  const refuse = (reason: string | undefined): ResumeEntry => {
    const why = reason === undefined ? {} : { rejection_reason: reason }
    return { interruptId, decision: { requirement_id: interruptId, execute: false, ...why } }
  }
  if (textAt(entry, "status") === "cancelled") return refuse("The request was dismissed.")
  const payload = objectAt(entry, "payload")
  const approved = memberAt(payload, "approved")
  if (typeof approved !== "boolean") return `The answer to ${interruptId} does not say approved: true or false.`
  if (memberAt(payload, "editedArgs") !== undefined) {
    return `The answer to ${interruptId} has other arguments: edit a call in the inbox.`
  }
  if (!approved) return refuse(textAt(payload, "reason"))
  return { interruptId, decision: { requirement_id: interruptId, execute: true } }
}

function contentParts(message: JsonObject): readonly JsonValue[] {
  const content = memberAt(message, "content")
  return typeof content === "string" ? [{ type: "text", text: content }] : (listAt(message, "content") ?? [])
}

/** The page's system messages and context become instructions of the run it begins. */
function wishOf({ body, messages }: AgUiInput): Parameters<FrontPorts["orderFor"]>[0] {
  const told = messages.filter(isObject).flatMap((message) => {
    const role = textAt(message, "role")
    return role === "system" || role === "developer" ? (textAt(message, "content") ?? []) : []
  })
  const context = (listAt(body, "context") ?? []).flatMap((entry) => {
    const [description, value] = [textAt(asObject(entry), "description"), textAt(asObject(entry), "value")]
    return description === undefined || value === undefined ? [] : `${description}:\n${value}`
  })
  const instructions = [...told, ...context].join("\n\n")
  return { ...wishIn(objectAt(body, "forwardedProps")), ...(instructions === "" ? {} : { instructions }) }
}

function follow(run: AgentRun, after: number): Begun {
  return { ok: true, run: run.id, after, wait: false }
}

function no(code: string, message: string): Begun {
  return { ok: false, event: runError(code, message) }
}
