/**
 * One leg of a run: AI SDK's loop from the messages there are to the next pause or end, with the gate as executor and the journal as memory.
 *
 * I1. Played again after a crash, a leg asks and does nothing that its journal answers.
 * I2. A leg ends in one commit: with the pause and its holds, or with the run's end.
 * I3. A leg whose run is elsewhere stops, and writes nothing more.
 */

import type { LanguageModelV4 } from "@ai-sdk/provider"
import {
  type JsonObject,
  type ReadResult,
  type Requirement,
  type RunGate,
  type RunningRun,
  type RunProgress,
  readJson,
  type TokenUsage,
} from "@byleave/core"
import {
  type CallSettings,
  dynamicTool,
  isStepCount,
  jsonSchema,
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
  type Journal,
  type JournalWriter,
  LostRun,
  lineNames,
  readJournal,
} from "../journal/journal.ts"
import type { OfferedTool } from "../tools.ts"
import { callsAreRun, journalAnswers } from "./journaled-model.ts"
import { modelOutput } from "./outcome-words.ts"
import { createRunCalls, type RunCalls, type RunCallsPorts } from "./run-calls.ts"

/** Everything that can be told of a leg while it goes on. */
export type LegPart = TextStreamPart<ToolSet>

/** How the model is to answer. `toolChoice` is for the first answer of a leg only: required calls would never end. */
export type LegSettings = Pick<CallSettings, "temperature" | "topP" | "maxOutputTokens"> & {
  readonly toolChoice?: ToolChoice<ToolSet>
}

export type LegPorts = Pick<RunCallsPorts, "carryOut" | "changed" | "askFirst"> & {
  readonly settings: LegSettings
  readonly gate: Pick<RunGate, "tryCall" | "takeUpCall" | "journal" | "journalLines" | "pauseRun" | "changeRun">
  readonly model: LanguageModelV4
  /** Tools of servers and gated functions of the host. */
  readonly tools: readonly OfferedTool[]
  /** Functions of the host that nobody is asked about, and those that the caller carries out. */
  readonly ungated?: ToolSet
  /** How often a model server that fails is asked again within one step. */
  readonly maxRetries: number
  readonly now: () => number
  readonly onPart: (part: LegPart) => void
  readonly onRetry: (attempt: number) => void
  /** Aborted when the run is cancelled or the service stops. */
  readonly signal: AbortSignal
  readonly failureOf: (error: unknown) => { readonly retryable: boolean; readonly detail: string }
}

/** How a leg ended. `stopped`: the service stops; whoever takes the run up plays the leg again. */
export type LegEnd = "paused" | "finished" | "failed" | "lost" | "stopped"

/** `answersTo`: what became of the calls that the run waited for before this leg. */
export async function runLeg(
  ports: LegPorts,
  run: RunningRun,
  answersTo: readonly RequirementAnswer[],
): Promise<LegEnd> {
  const journal = await readJournal(ports.gate, run.id)
  const writer = createJournalWriter(ports.gate, run, journal, ports.now)
  const resumption = resumeMessages(journal.messages, answersTo)
  const stop = new AbortController()
  const signal = AbortSignal.any([ports.signal, stop.signal])
  const meter = createMeter(run)
  const inputs = new Map<string, ReadResult>()
  const tools = withStubs(ports.tools, run.answered, journal.messages)
  const calls = createRunCalls({
    ...ports,
    ...{ run, requirements: run.answered, journal, writer },
    toolNamed: toolTable(tools),
    argsOf: (toolCall) => inputs.get(toolCall),
  })
  let failure: { readonly error: unknown } | null = null
  let lost = false
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      lost ||= error instanceof LostRun
      if (error instanceof LostRun) stop.abort(error)
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
        for (const part of answer.parts)
          if (part.type === "tool-call") inputs.set(part.toolCallId, readJson(part.input.trim() || "{}"))
        meter.count(end?.usage)
      },
      onRetry: ports.onRetry,
    }),
  })
  const { toolChoice, ...settings } = ports.settings
  const result = streamText({
    model,
    ...settings,
    ...(run.setup.instructions === undefined ? {} : { instructions: run.setup.instructions }),
    messages: [...journal.messages, ...resumption],
    tools: { ...toolSet(tools, calls, guard), ...ports.ungated },
    toolApproval: async ({ toolCall }) => {
      if (toolCall.providerExecuted === true || ports.ungated?.[toolCall.toolName] !== undefined)
        return "not-applicable"
      if (finish !== null && !callsAreRun(finish)) return "not-applicable"
      const taken = await guard(calls.take({ ...toolCall, input: objectOf(toolCall.input) }))
      if (taken.kind === "asked") return { type: "user-approval", reason: taken.why }
      return taken.kind === "denied" ? { type: "denied", reason: taken.reason } : "not-applicable"
    },
    prepareStep: ({ stepNumber }) => (stepNumber === 0 && toolChoice !== undefined ? { toolChoice } : {}),
    stopWhen: isStepCount(Math.max(1, run.setup.maxSteps)),
    maxRetries: ports.maxRetries,
    abortSignal: signal,
    onError: ({ error }) => {
      failure ??= { error }
    },
  })
  try {
    for await (const part of result.stream) {
      if (part.type === "error") failure ??= { error: part.error }
      else ports.onPart(part)
    }
  } catch (error) {
    failure ??= { error }
  }
  if (lost) return "lost"
  if (ports.signal.aborted) return "stopped"
  if (failure !== null) return endFailed(ports, run, ports.failureOf(failure.error), meter, writer)
  const messages = plain([...resumption, ...(await result.responseMessages)])
  return endLeg(ports, run, { journal, writer, calls, meter, messages, finishReason: await result.finishReason })
}

type Ended = {
  readonly journal: Journal
  readonly writer: JournalWriter
  readonly calls: RunCalls
  readonly meter: Meter
  readonly messages: readonly ModelMessage[]
  readonly finishReason: string
}

async function endLeg(ports: LegPorts, run: RunningRun, ended: Ended): Promise<LegEnd> {
  const { writer, calls, meter, messages } = ended
  const line = writer.line(lineNames.leg(run.legs), { messages })
  const progress = meter.progress(writer.bytes())
  const asked = calls.asked()
  if (asked.length > 0) {
    const paused = await ports.gate.pauseRun({ run, calls: asked, progress, lines: [line] })
    return paused.ok ? "paused" : "lost"
  }
  const isCut = ended.finishReason === "tool-calls" && messages.at(-1)?.role === "tool" && !waitsForCaller(messages)
  const changed = await ports.gate.changeRun(
    run.id,
    (_, { at }) =>
      isCut
        ? { type: "fail", owner: run.owner, retryable: true, detail: stepsUsed(run), at, ...progress }
        : { type: "finish", owner: run.owner, at, ...progress },
    { lines: [line] },
  )
  if (!changed.ok) return "lost"
  return isCut ? "failed" : "finished"
}

/** Whether a call has no result: one that the caller carries out, which ended the leg. */
function waitsForCaller(messages: readonly ModelMessage[]): boolean {
  const open = new Set<string>()
  for (const { content } of messages) {
    if (typeof content === "string") continue
    for (const part of content) {
      if (part.type === "tool-call") open.add(part.toolCallId)
      else if (part.type === "tool-result") open.delete(part.toolCallId)
    }
  }
  return open.size > 0
}

function stepsUsed(run: RunningRun): string {
  return `The run has used the ${run.setup.maxSteps} steps it may take at once. Continue it to let it go on.`
}

async function endFailed(
  { gate }: LegPorts,
  run: RunningRun,
  failure: { readonly retryable: boolean; readonly detail: string },
  meter: Meter,
  writer: JournalWriter,
): Promise<LegEnd> {
  const progress = meter.progress(writer.bytes())
  const failed = await gate.changeRun(run.id, (_, { at }) => ({
    type: "fail",
    owner: run.owner,
    ...failure,
    at,
    ...progress,
  }))
  return failed.ok ? "failed" : "lost"
}

/** What became of a call that the run waited for, as AI SDK is told it. */
export type RequirementAnswer = { readonly toolCall: string; readonly approved: boolean; readonly reason?: string }

/** All answers in one message: AI SDK takes whole batches only. */
function resumeMessages(
  messages: readonly ModelMessage[],
  answers: readonly RequirementAnswer[],
): readonly ToolModelMessage[] {
  if (answers.length === 0) return []
  const approvalIds = new Map<string, string>()
  for (const message of messages) {
    if (message.role !== "assistant" || typeof message.content === "string") continue
    for (const part of message.content) {
      if (part.type === "tool-approval-request") approvalIds.set(part.toolCallId, part.approvalId)
    }
  }
  const content = answers.flatMap(({ toolCall, approved, reason }) => {
    const approvalId = approvalIds.get(toolCall)
    if (approvalId === undefined) return []
    const said = reason === undefined || reason === "" ? {} : { reason }
    return [{ type: "tool-approval-response" as const, approvalId, approved, ...said }]
  })
  return content.length === 0 ? [] : [{ role: "tool", content }]
}

/** A tool that is gone stays where the run waits for its call: AI SDK cannot go on without it, and the gate tells what became of it. */
function withStubs(
  tools: readonly OfferedTool[],
  answered: readonly Requirement[],
  messages: readonly ModelMessage[],
): readonly OfferedTool[] {
  const known = new Set(tools.map(({ name }) => name))
  const names = new Map<string, string>()
  for (const message of messages) {
    if (message.role !== "assistant" || typeof message.content === "string") continue
    for (const part of message.content) if (part.type === "tool-call") names.set(part.toolCallId, part.toolName)
  }
  const stubs = answered.flatMap(({ toolCall, tool }) => {
    const name = names.get(toolCall)
    if (name === undefined || known.has(name)) return []
    known.add(name)
    return [{ ref: tool, name, inputSchema: { type: "object" } }]
  })
  return [...tools, ...stubs]
}

function toolTable(tools: readonly OfferedTool[]): (name: string) => OfferedTool | undefined {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return (name) => byName.get(name)
}

function toolSet(tools: readonly OfferedTool[], calls: RunCalls, guard: <T>(work: Promise<T>) => Promise<T>): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      dynamicTool({
        ...(description === undefined ? {} : { description }),
        inputSchema: jsonSchema(inputSchema),
        execute: async (input, { toolCallId }) => {
          const outcome = await guard(calls.outcome({ toolCallId, toolName: name, input: objectOf(input) }))
          const output = modelOutput(outcome)
          if (output.type === "error-text") throw new Error(output.value)
          return output
        },
        toModelOutput: ({ output }) => asOutput(output),
      }),
    ]),
  )
}

type ToModelOutput = NonNullable<ToolSet[string]["toModelOutput"]>

/** `execute` gives nothing else. */
function asOutput(output: unknown): Awaited<ReturnType<ToModelOutput>> {
  return output as Awaited<ReturnType<ToModelOutput>>
}

function objectOf(input: unknown): JsonObject {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? (input as JsonObject) : {}
}

/** As JSON keeps it. */
function plain(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return JSON.parse(JSON.stringify(messages))
}

type Meter = {
  readonly count: (usage: ModelUsage | undefined) => void
  readonly progress: (bytes: number) => RunProgress
}
type ModelUsage = {
  readonly inputTokens: { readonly total: number | undefined }
  readonly outputTokens: { readonly total: number | undefined }
}

/** Adds up what a leg uses to what the run had used before. */
function createMeter(run: RunningRun): Meter {
  let steps = run.steps
  let usage: TokenUsage = run.usage
  return {
    count: (more) => {
      steps += 1
      const input = usage.input + (more?.inputTokens.total ?? 0)
      const output = usage.output + (more?.outputTokens.total ?? 0)
      usage = { input, output, total: input + output }
    },
    progress: (bytes) => ({ steps, usage, bytes }),
  }
}
