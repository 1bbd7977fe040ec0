/**
 * A model that plays a script: for demonstrations and tests, without a network and the same every time.
 *
 * I1. What is played follows from the messages alone, except that each failure is played once by one opened model.
 * I2. It calls itself scripted, and says in words when its script has ended.
 */
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Content,
  type LanguageModelV4Prompt,
  type LanguageModelV4StreamPart,
  type LanguageModelV4ToolCall,
  type LanguageModelV4Usage,
} from "@ai-sdk/provider"
import type { ScriptedCall, ScriptedFailure, ScriptedModelConfig, ScriptedStep } from "@byleave/core"
import { chooseStep } from "./choose-step.ts"
import { countWords, wordsOfMessage } from "./prompt-words.ts"

export type ScriptedModelOptions = {
  /** Waits between chunks; without it they come at once. */
  readonly pause?: () => Promise<void>
}

const scriptEnded: ScriptedStep = {
  say: "My script has no further step for this. I am a scripted model: I only play what was written down for me.",
}

export function createScriptedModel(config: ScriptedModelConfig, options: ScriptedModelOptions = {}): LanguageModelV4 {
  const failed = new Set<number>()

  function answer({ prompt, tools }: LanguageModelV4CallOptions): ScriptedAnswer {
    const at = chooseStep(config.steps, prompt, (step) => !failed.has(step))
    const step = (at === null ? undefined : config.steps[at]) ?? scriptEnded
    if (at !== null && step.fail !== undefined) failed.add(at)
    return answerOf(step, prompt, new Set(tools?.map(({ name }) => name)))
  }

  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: config.name,
    supportedUrls: {},
    async doGenerate(call) {
      const { content, failure, finishReason, usage } = answer(call)
      if (failure !== null) throw failure
      return { content: [...content], finishReason, usage, warnings: [] }
    },
    async doStream(call) {
      const played = answer(call)
      if (played.failure !== null && played.content.length === 0) throw played.failure
      return { stream: streamOf(partsOf(played), call.abortSignal, options.pause) }
    },
  }
}

type Said = Extract<LanguageModelV4Content, { type: "text" | "reasoning" }>

type ScriptedAnswer = {
  readonly content: ReadonlyArray<Said | LanguageModelV4ToolCall>
  readonly failure: APICallError | TypeError | null
  readonly finishReason: { unified: "stop" | "tool-calls"; raw: string }
  readonly usage: LanguageModelV4Usage
}

function answerOf(step: ScriptedStep, prompt: LanguageModelV4Prompt, known: ReadonlySet<string>): ScriptedAnswer {
  const nth = prompt.filter(({ role }) => role === "assistant").length + 1
  const calls = (step.calls ?? []).map((call, at) => toolCallOf(call, `scripted-${nth}-${at + 1}`, known))
  const unified = calls.length === 0 ? "stop" : "tool-calls"
  return {
    content: [
      ...(step.reasoning === undefined ? [] : [{ type: "reasoning" as const, text: step.reasoning }]),
      ...(step.say === undefined ? [] : [{ type: "text" as const, text: step.say }]),
      ...calls,
    ],
    failure: step.fail === undefined ? null : failureOf(step.fail),
    finishReason: { unified, raw: unified },
    usage: usageOf(step, prompt),
  }
}

function toolCallOf({ tool, args }: ScriptedCall, id: string, known: ReadonlySet<string>): LanguageModelV4ToolCall {
  return { type: "tool-call", toolCallId: id, toolName: nameFor(tool, known), input: JSON.stringify(args) }
}

/** The name of a tool for the model: as written, or for `server(tool)` the name of the aggregate. */
function nameFor(tool: string, known: ReadonlySet<string>): string {
  const [, server, name] = /^([^()]+)\((.+)\)$/.exec(tool) ?? []
  if (known.has(tool) || server === undefined) return tool
  return `${server}__${name}`.replace(/[^A-Za-z0-9_-]/g, "_")
}

function failureOf({ status, message, retryAfter }: ScriptedFailure): APICallError | TypeError {
  if (status === undefined) return new TypeError(message)
  return new APICallError({
    message,
    url: "scripted:",
    requestBodyValues: {},
    statusCode: status,
    ...(retryAfter === undefined ? {} : { responseHeaders: { "retry-after": String(retryAfter) } }),
  })
}

/** Words stand for tokens. */
function usageOf(step: ScriptedStep, prompt: LanguageModelV4Prompt): LanguageModelV4Usage {
  const asked = prompt.reduce((sum, message) => sum + countWords(wordsOfMessage(message)), 0)
  const reasoning = countWords(step.reasoning ?? "")
  const calls = (step.calls ?? []).map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`)
  const text = [step.say ?? "", ...calls].reduce((sum, words) => sum + countWords(words), 0)
  return {
    inputTokens: { total: asked, noCache: asked, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: text + reasoning, text, reasoning },
  }
}

function* partsOf({ content, failure, finishReason, usage }: ScriptedAnswer): Generator<LanguageModelV4StreamPart> {
  yield { type: "stream-start", warnings: [] }
  for (const [at, part] of content.entries()) {
    if (part.type === "tool-call") yield* toolCallParts(part)
    else yield* saidParts(part, String(at))
  }
  if (failure !== null) yield { type: "error", error: failure }
  else yield { type: "finish", usage, finishReason }
}

function* saidParts({ type, text }: Said, id: string): Generator<LanguageModelV4StreamPart> {
  yield { type: `${type}-start`, id }
  for (const delta of chunksOf(text)) yield { type: `${type}-delta`, id, delta }
  yield { type: `${type}-end`, id }
}

function* toolCallParts(call: LanguageModelV4ToolCall): Generator<LanguageModelV4StreamPart> {
  yield { type: "tool-input-start", id: call.toolCallId, toolName: call.toolName }
  for (const delta of chunksOf(call.input)) yield { type: "tool-input-delta", id: call.toolCallId, delta }
  yield { type: "tool-input-end", id: call.toolCallId }
  yield call
}

/** A word and the space after it each, long words in pieces. */
function chunksOf(text: string): readonly string[] {
  return text.match(/\S{1,16}\s*|\s+/gu) ?? []
}

function streamOf(
  parts: Iterator<LanguageModelV4StreamPart>,
  abortSignal: AbortSignal | undefined,
  pause: (() => Promise<void>) | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    async pull(controller) {
      await pause?.()
      if (abortSignal?.aborted === true) return controller.error(abortSignal.reason)
      const next = parts.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
  })
}
