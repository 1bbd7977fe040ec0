/**
 * One leg of a run: AI SDK's loop from the messages there are to the next pause or end, with the gate as executor and the journal as memory.
 *
 * I1. Played again after a crash, a leg asks and does nothing that its journal answers.
 * I2. A leg ends in one commit: with the pause and its holds, or with the run's end.
 * I3. A leg whose run is elsewhere stops, and writes nothing more.
 * I4. Open calls that nobody was asked about are judged before anything else; where people must be asked, the run pauses again with all its open calls.
 * I5. A leg that the store fails ends nothing: its run is taken up again where the journal is.
 * I6. Nothing is loaded from an address that a message or a result names.
 */

import type { LanguageModelV4, LanguageModelV4ToolCall } from "@ai-sdk/provider"
import {
  asObject,
  type ReadResult,
  type RunContext,
  type RunGate,
  type RunHeldLimits,
  type RunningRun,
  type RunOutcome,
  readJson,
  StoreError,
  type ToolRef,
  toolName,
} from "@byleave/core"
import {
  type CallSettings,
  isStepCount,
  type ModelMessage,
  streamText,
  type TextStreamPart,
  type ToolChoice,
  type ToolModelMessage,
  type ToolSet,
  wrapLanguageModel,
} from "ai"
import {
  createJournalWriter,
  FullJournal,
  type Journal,
  type JournalRoom,
  LostRun,
  lineNames,
  readJournal,
} from "../journal/journal.ts"
import { openRequests } from "../journal/open-requests.ts"
import type { ModelLimits, ModelTimeouts } from "../run-limits.ts"
import type { OfferedTool } from "../tools.ts"
import { endFailed, endLeg, type LegEnd } from "./end-leg.ts"
import { createHeldLedger } from "./held-ledger.ts"
import { callsAreRun, journalAnswers } from "./journaled-model.ts"
import { namedTools, toolSet, toolTable, withStubs } from "./leg-tools.ts"
import { createMeter } from "./meter.ts"
import { type OpenCall, objectOf, openCalls, withResults } from "./open-calls.ts"
import { refusalOf } from "./refused-calls.ts"
import { createRunCalls, type RunCalls, type RunCallsPorts } from "./run-calls.ts"

/** Everything that can be told of a leg while it goes on. */
export type LegPart = TextStreamPart<ToolSet>

/** How the model is to answer. `toolChoice` is for the first answer of a leg only: required calls would never end. */
export type LegSettings = Pick<CallSettings, "temperature" | "topP" | "maxOutputTokens"> & {
  readonly toolChoice?: ToolChoice<ToolSet>
}

export type LegPorts = Pick<RunCallsPorts, "carryOut" | "changed" | "changes" | "askFirst" | "ungated"> & {
  readonly settings: LegSettings
  readonly gate: Pick<
    RunGate,
    "tryCall" | "takeUpCall" | "journal" | "journalLines" | "pauseRun" | "changeRun" | "openRuns"
  >
  readonly model: LanguageModelV4
  /** Tools of servers and gated functions of the host. */
  readonly tools: readonly OfferedTool[]
  /** Functions that the starter of the run carries out. */
  readonly faceTools?: ToolSet
  /** How often a model server that fails is asked again within one step. */
  readonly maxRetries: number
  readonly timeouts: ModelTimeouts
  readonly modelLimits: ModelLimits
  /** The room in the run's journal. */
  readonly room: JournalRoom
  /** The limits on calls that may wait with the run. */
  readonly waiting: RunHeldLimits
  readonly now: () => number
  readonly onPart: (part: LegPart) => void
  readonly onRetry: (attempt: number) => void
  /** Aborted when the run is no longer this leg's, or the service stops. */
  readonly signal: AbortSignal
  /** Whether the service stops: then calls that were sent to servers end first. */
  readonly isClosing: () => boolean
  readonly redactText: (text: string) => string
  readonly failureOf: (error: unknown) => { readonly retryable: boolean; readonly detail: string }
}

/** `answersTo`: what became of the calls that the run waited for before this leg. */
export async function runLeg(
  ports: LegPorts,
  run: RunningRun,
  answersTo: readonly RequirementAnswer[],
): Promise<LegEnd> {
  try {
    return await carryOn(ports, run, answersTo)
  } catch (error) {
    if (error instanceof LostRun) return "lost"
    if (error instanceof FullJournal) {
      const { steps, usage, bytes } = run
      return endFailed(ports, run, { retryable: false, detail: error.message }, { steps, usage, bytes })
    }
    throw error
  }
}

async function carryOn(ports: LegPorts, run: RunningRun, answersTo: readonly RequirementAnswer[]): Promise<LegEnd> {
  const journal = await readJournal(ports.gate, run.id)
  const writer = createJournalWriter(ports.gate, run, journal, ports.now, ports.room)
  const resumption = resumeMessages(journal.messages, answersTo)
  const stop = new AbortController()
  const signal = AbortSignal.any([ports.signal, stop.signal])
  const meter = createMeter(run)
  const inputs = new Map<string, ReadResult>()
  const refusals = new Map<string, string>()
  const readArgs = (toolCall: string, input: string): ReadResult => {
    const read = inputs.get(toolCall) ?? readJson(input.trim() || "{}")
    inputs.set(toolCall, read)
    return read
  }
  const open = openCalls(journal.messages, run.answered)
  const tools = withStubs(ports.tools, open)
  const calls = createRunCalls({
    ...ports,
    ...{ run, requirements: run.answered, journal, writer, signal },
    toolNamed: toolTable(tools),
    mayWait: createHeldLedger(ports.waiting, async () => (await ports.gate.openRuns(run.startedBy)).waiting),
    argsOf: (toolCall) => inputs.get(toolCall),
    refusalOf: (toolCall) => refusals.get(toolCall),
    carryOut: async (call, args, context) =>
      isOffered(ports.tools, call.tool) ? ports.carryOut(call, args, cancelledWith(context, ports)) : gone(call.tool),
  })
  let failure: { readonly error: unknown } | null = null
  let halted: { readonly error: unknown } | null = null
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      halted ??= { error }
      stop.abort(error)
      throw error
    }
  }
  let finish: Parameters<typeof callsAreRun>[0] | null = null
  const model = wrapLanguageModel({
    model: ports.model,
    middleware: journalAnswers({
      given: journal.answers,
      toolCalls: new Set(journal.toolCalls),
      write: (step, answer) => guard(writer.write(lineNames.answer(run.legs, step), answer)),
      onAnswer: (answer) => {
        const end = answer.parts.find((part) => part.type === "finish")
        finish = end?.finishReason ?? null
        const made = answer.parts.filter((part) => part.type === "tool-call")
        for (const call of made) {
          const refusal = refusalOf(call)
          if (refusal === undefined) readArgs(call.toolCallId, call.input)
          else refusals.set(call.toolCallId, refusal)
        }
        if (finish !== null && callsAreRun(finish)) beginAll(made, calls, ports, inputs)
        // The answers to a failed leg were counted when it failed.
        if (!("leg" in answer) || answer.leg === run.legs) meter.count(end?.usage)
      },
      onRetry: ports.onRetry,
      mustFit: (bytes) => {
        if (bytes > writer.room()) throw new FullJournal(ports.room.words)
      },
      readArgs,
      limits: ports.modelLimits,
      answerMs: ports.timeouts.answerMs,
      redactText: ports.redactText,
    }),
  })
  const unbegun = { writer, calls, meter, messages: [], finishReason: "stop" }
  if (hasNothingToSay(run, journal)) return endLeg(ports, run, unbegun)
  try {
    await judgeUnasked(open, journal, calls)
  } catch (error) {
    if (ports.signal.aborted && !(error instanceof LostRun)) return "stopped"
    throw error
  }
  if (calls.asked().length > 0) return endLeg(ports, run, { ...unbegun, open: run.answered })
  const { toolChoice, ...settings } = ports.settings
  const result = streamText({
    model,
    ...settings,
    ...(run.setup.instructions === undefined ? {} : { instructions: run.setup.instructions }),
    messages: [...journal.messages, ...resumption],
    tools: { ...toolSet([...namedTools(ports.ungated), ...tools], calls, guard), ...ports.faceTools },
    toolApproval: async ({ toolCall }) => {
      if (toolCall.providerExecuted === true) return "not-applicable"
      const refusal = refusals.get(toolCall.toolCallId)
      if (refusal !== undefined) return { type: "denied", reason: refusal }
      if (isOfFace(ports, toolCall.toolName)) return "not-applicable"
      if (finish !== null && !callsAreRun(finish)) return "not-applicable"
      const taken = await guard(calls.take({ ...toolCall, input: objectOf(toolCall.input) }))
      if (taken.kind === "asked") return { type: "user-approval", reason: taken.why }
      return taken.kind === "denied" ? { type: "denied", reason: taken.reason } : "not-applicable"
    },
    prepareStep: ({ stepNumber, messages }) => {
      if (stepNumber > 0) return {}
      const said = journal.inputs.length === 0 ? {} : { messages: [...messages, ...journal.inputs] }
      return { ...said, ...(toolChoice === undefined ? {} : { toolChoice }) }
    },
    stopWhen: isStepCount(Math.max(1, run.setup.maxSteps)),
    maxRetries: ports.maxRetries,
    timeout: { firstChunkMs: ports.timeouts.firstChunkMs, chunkMs: ports.timeouts.chunkMs },
    abortSignal: signal,
    experimental_download: leaveAddresses,
    onError: ({ error }) => {
      failure ??= { error }
    },
  })
  // The outcome is read from the stream; these promises reject with it.
  for (const promise of [result.responseMessages, result.finishReason]) Promise.resolve(promise).catch(() => {})
  try {
    for await (const part of result.stream) {
      if (part.type === "error") failure ??= { error: part.error }
      else if (part.type === "abort") failure ??= { error: new DOMException(part.reason, "TimeoutError") }
      else ports.onPart(asWritten(part, inputs))
    }
  } catch (error) {
    failure ??= { error }
  }
  const { error: cause } = halted ?? failure ?? { error: null }
  if (cause instanceof LostRun) return "lost"
  if (ports.signal.aborted) {
    if (ports.isClosing()) await calls.quiet()
    return "stopped"
  }
  if (cause instanceof StoreError) throw cause
  const progress = meter.progress(writer.bytes())
  if (cause instanceof FullJournal) return endFailed(ports, run, { retryable: false, detail: cause.message }, progress)
  if (halted !== null) throw cause
  if (failure !== null) return endFailed(ports, run, ports.failureOf(cause), progress)
  const isOurs = (name: string): boolean => ports.ungated.has(name) || tools.some((tool) => tool.name === name)
  const said = (await result.responseMessages).map((message) => redactedMessage(message, ports.redactText))
  const messages = [...resumption, ...withResults(said, isOurs)]
  return endLeg(ports, run, { writer, calls, meter, messages, finishReason: await result.finishReason })
}

/** AI SDK would load what a model cannot load itself. Messages and results come from others: they do not choose what this machine connects to. */
const leaveAddresses: Parameters<typeof streamText>[0]["experimental_download"] = async (asked) =>
  asked.map(({ isUrlSupportedByModel }) => {
    if (isUrlSupportedByModel) return null
    throw new Error("A message names the address of a file, which is not loaded from here. Send the file itself.")
  })

/** A call with its arguments as the model wrote them: AI SDK rounds numbers. */
function asWritten(part: LegPart, inputs: ReadonlyMap<string, ReadResult>): LegPart {
  const read = part.type === "tool-call" ? inputs.get(part.toolCallId) : undefined
  return part.type === "tool-call" && read?.ok === true ? ({ ...part, input: read.value } as LegPart) : part
}

/** The model's message, as the journal of its answers has it. */
function redactedMessage<Message extends ModelMessage>(message: Message, redactText: LegPorts["redactText"]): Message {
  if (message.role !== "assistant") return message
  const { content } = message
  if (typeof content === "string") return { ...message, content: redactText(content) }
  const parts = content.map((part) =>
    part.type === "text" || part.type === "reasoning" ? { ...part, text: redactText(part.text) } : part,
  )
  return { ...message, content: parts }
}

/** A run that was carried here after it had finished: the model has the last word already. */
function hasNothingToSay(run: RunningRun, { messages, inputs, answers }: Journal): boolean {
  const isSaid = inputs.length === 0 && messages.at(-1)?.role === "assistant"
  return run.answered.length === 0 && answers.length === 0 && isSaid
}

/** AI SDK takes all answers to a step at once: where one call must be asked about, the others have their outcomes in the journal and wait with it. */
async function judgeUnasked(open: readonly OpenCall[], journal: Journal, calls: RunCalls): Promise<void> {
  const unasked = open.flatMap(({ requirement: { approval, toolCall }, call }) =>
    approval === null && !journal.outcomes.has(toolCall) ? [call] : [],
  )
  const taken = await Promise.all(unasked.map(calls.take))
  if (calls.asked().length === 0) return
  await Promise.all(unasked.filter((_, at) => taken[at]?.kind !== "asked").map(calls.outcome))
}

function isOffered(tools: readonly OfferedTool[], { server, tool }: ToolRef): boolean {
  return tools.some(({ ref }) => ref.server === server && ref.tool === tool)
}

function gone(tool: ToolRef): RunOutcome {
  return { kind: "failed", error: `${toolName(tool)} is no longer offered, so this call did not run.` }
}

/** A server is told that nobody waits for a call any more; not where the service stops, which waits for it. */
function cancelledWith<Context extends RunContext>(context: Context, { signal, isClosing }: LegPorts): Context {
  const stopped = new Promise<void>((resolve) => {
    const stop = (): void => {
      if (!isClosing()) resolve()
    }
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
  })
  return { ...context, cancelled: Promise.race([context.cancelled, stopped]) }
}

/**
 * Begins the calls of an answer side by side; AI SDK asks for one after the other, and finds them begun. Calls that it might not accept are left to it:
 * a call that it refuses must not run.
 */
function beginAll(
  made: readonly LanguageModelV4ToolCall[],
  calls: RunCalls,
  ports: LegPorts,
  inputs: ReadonlyMap<string, ReadResult>,
): void {
  if (made.length < 2) return
  const offered = new Set(ports.tools.map(({ name }) => name))
  for (const { toolCallId, toolName, input, providerExecuted } of made) {
    const read = inputs.get(toolCallId)
    if (providerExecuted === true || !offered.has(toolName) || isOfFace(ports, toolName)) continue
    if (read?.ok !== true || asObject(read.value) === undefined || /\\u|__proto__|constructor/.test(input)) continue
    // A failure is reported to the code that asks for the call.
    calls.take({ toolCallId, toolName, input: objectOf(read.value) }).catch(() => {})
  }
}

/** Names chosen by a model never index an object. */
function isOfFace({ faceTools }: LegPorts, name: string): boolean {
  return faceTools !== undefined && Object.hasOwn(faceTools, name)
}

/** The answer to a call that the run waited for, in the form for AI SDK. */
export type RequirementAnswer = { readonly toolCall: string; readonly approved: boolean; readonly reason?: string }

/** All answers in one message: AI SDK takes whole batches only. */
function resumeMessages(
  messages: readonly ModelMessage[],
  answers: readonly RequirementAnswer[],
): readonly ToolModelMessage[] {
  const open = openRequests(messages)
  const content = answers.flatMap(({ toolCall, approved, reason }) => {
    const approvalId = open.get(toolCall)
    if (approvalId === undefined) return []
    const said = reason === undefined || reason === "" ? {} : { reason }
    return [{ type: "tool-approval-response" as const, approvalId, approved, ...said }]
  })
  return content.length === 0 ? [] : [{ role: "tool", content }]
}
