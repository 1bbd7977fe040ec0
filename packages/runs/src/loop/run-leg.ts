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

import { type ReadResult, type RunningRun, readJson, StoreError } from "@byleave/core"
import { isStepCount, streamText, wrapLanguageModel } from "ai"
import {
  createJournalWriter,
  FullJournal,
  type Journal,
  type JournalWriter,
  LostRun,
  lineNames,
  readJournal,
} from "../journal/journal.ts"
import { beginAll, carryOutOffered, judgeUnasked } from "./begin-calls.ts"
import { endFailed, endLeg, type LegEnd } from "./end-leg.ts"
import { createHeldLedger } from "./held-ledger.ts"
import { callsAreRun, journalAnswers } from "./journaled-model.ts"
import { asWritten, type RequirementAnswer, redactedMessage, resumeMessages } from "./leg-messages.ts"
import { isOfFace, type LegPorts } from "./leg-ports.ts"
import { namedTools, toolSet, toolTable, withStubs } from "./leg-tools.ts"
import { createMeter } from "./meter.ts"
import { objectOf, openCalls, withResults } from "./open-calls.ts"
import { refusalOf } from "./refused-calls.ts"
import { createRunCalls } from "./run-calls.ts"

/** `answersTo`: the answers to the calls that the run waited for before this leg. */
export async function runLeg(
  ports: LegPorts,
  run: RunningRun,
  answersTo: readonly RequirementAnswer[],
): Promise<LegEnd> {
  let bytes = () => run.bytes
  try {
    const journal = await readJournal(ports.gate, run.id)
    const writer = createJournalWriter(ports.gate, run, journal, ports.now, ports.room)
    bytes = writer.bytes
    ports.onCounted(bytes)
    return await carryOn(ports, run, answersTo, { journal, writer })
  } catch (error) {
    if (error instanceof LostRun) return "lost"
    if (error instanceof FullJournal) {
      const { steps, usage } = run
      return endFailed(ports, run, { retryable: false, detail: error.message }, { steps, usage, bytes: bytes() })
    }
    throw error
  }
}

async function carryOn(
  ports: LegPorts,
  run: RunningRun,
  answersTo: readonly RequirementAnswer[],
  { journal, writer }: { readonly journal: Journal; readonly writer: JournalWriter },
): Promise<LegEnd> {
  const resumption = resumeMessages(journal.messages, answersTo)
  const stop = new AbortController()
  const signal = AbortSignal.any([ports.signal, stop.signal])
  const meter = createMeter(run)
  // As text: a leg may make thousands of calls, and as values their arguments may take many times as much.
  const inputs = new Map<string, string>()
  const refusals = new Map<string, string>()
  const argsOf = (toolCall: string): ReadResult | undefined => {
    const input = inputs.get(toolCall)
    return input === undefined ? undefined : readArgs(input)
  }
  const open = openCalls(journal.messages, run.answered)
  const tools = withStubs(ports.tools, open)
  const calls = createRunCalls({
    ...ports,
    ...{ run, requirements: run.answered, journal, writer, signal },
    toolNamed: toolTable(tools),
    mayWait: createHeldLedger(ports.waiting, async () => (await ports.gate.openRuns(run.startedBy)).waiting),
    argsOf,
    refusalOf: (toolCall) => refusals.get(toolCall),
    carryOut: (call, args, context) => carryOutOffered(ports, call, args, context),
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
          if (refusal === undefined) inputs.set(call.toolCallId, call.input)
          else refusals.set(call.toolCallId, refusal)
        }
        if (finish !== null && callsAreRun(finish)) beginAll(made, calls, ports, argsOf)
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
  const missing = awayWords(ports.away)
  if (missing !== null) await writer.write(lineNames.note(run.legs, journal.lastSeq), { text: missing })
  const instructions = [run.setup.instructions, missing].filter((words) => typeof words === "string").join("\n\n")
  const { toolChoice, ...settings } = ports.settings
  const result = streamText({
    model,
    ...settings,
    ...(instructions === "" ? {} : { instructions }),
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
      else ports.onPart(asWritten(part, argsOf))
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

function readArgs(input: string): ReadResult {
  return readJson(input.trim() || "{}")
}

/** For the model and for the run's story; the servers' own words about it are in the log alone. */
function awayWords(away: readonly string[]): string | null {
  if (away.length === 0) return null
  return away.length === 1
    ? `The server ${away[0]} does not answer or cannot be reached, so its tools are missing for now.`
    : `These servers do not answer or cannot be reached, so their tools are missing for now: ${away.join(", ")}.`
}

/** AI SDK would load what a model cannot load itself. Messages and results come from others: they do not choose what this machine connects to. */
const leaveAddresses: Parameters<typeof streamText>[0]["experimental_download"] = async (asked) =>
  asked.map(({ isUrlSupportedByModel }) => {
    if (isUrlSupportedByModel) return null
    throw new Error("A message names the address of a file, which is not loaded from here. Send the file itself.")
  })

/** A run that was carried here after it had finished: the model has the last word already. */
function hasNothingToSay(run: RunningRun, { messages, inputs, answers }: Journal): boolean {
  const isSaid = inputs.length === 0 && messages.at(-1)?.role === "assistant"
  return run.answered.length === 0 && answers.length === 0 && isSaid
}
