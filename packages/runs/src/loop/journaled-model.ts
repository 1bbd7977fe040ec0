/**
 * A model whose answers are in the journal before anything acts on them.
 *
 * I1. An answer that the journal has is not asked for again.
 * I2. Tool calls and the end of an answer pass only once the whole answer is written.
 * I3. An answer that breaks off, fails, is too large or takes too long is told as that: it is not written, and none of its calls passes.
 * I4. No configured secret is in the words that are written.
 */
import {
  InvalidResponseDataError,
  type LanguageModelV4FinishReason,
  type LanguageModelV4Middleware,
  type LanguageModelV4StreamPart,
} from "@ai-sdk/provider"
import type { ReadResult } from "@byleave/core"
import type { Answer, GivenAnswer } from "../journal/journal.ts"
import { answerTooLarge } from "../models/unusable-answer.ts"
import type { ModelLimits } from "../run-limits.ts"
import { createAnswerCalls } from "./answer-calls.ts"
import { createAnswerParts } from "./answer-parts.ts"
import { createPartReader } from "./part-reader.ts"

export type AnswerLog = {
  /** Of the leg under way, in order: those that were given before. */
  readonly given: readonly GivenAnswer[]
  /** Ids that earlier calls of the run have. */
  readonly toolCalls: Set<string>
  readonly write: (step: number, answer: Answer) => Promise<void>
  /** Told once an answer is in the journal, before any of its calls is seen. */
  readonly onAnswer: (answer: Answer | GivenAnswer) => void
  /** Told when a step asks the model again, after a failure. */
  readonly onRetry: (attempt: number) => void
  /** Rejects where an answer of so many bytes cannot be kept. */
  readonly mustFit: (bytes: number) => void
  /** The arguments of a call as the model wrote them. */
  readonly readArgs: (input: string) => ReadResult
  readonly limits: Pick<ModelLimits, "answerBytes" | "calls" | "callsRead">
  readonly redactText: (text: string) => string
  /** How long one answer may take from the question to its end. */
  readonly answerMs: number
}

export function journalAnswers(log: AnswerLog): LanguageModelV4Middleware {
  let step = 0
  let attempts = 0
  const numbers = new Map<string, number>()
  return {
    specificationVersion: "v4",
    wrapStream: async ({ model, params }) => {
      const given = log.given[step]
      if (given !== undefined) {
        log.onAnswer(given)
        step += 1
        return { stream: streamOf(given.parts) }
      }
      attempts += 1
      if (attempts > 1) log.onRetry(attempts)
      const timer = stopAfter(log.answerMs, params.abortSignal)
      const asked = Promise.resolve(model.doStream({ ...params, abortSignal: timer.signal }))
      const result = await Promise.race([asked, timer.stopped]).catch((error: unknown) => {
        timer.clear()
        throw error
      })
      const end = async (parts: readonly LanguageModelV4StreamPart[]): Promise<void> => {
        const answer = { parts: parts.map((part) => redactedPart(part, log.redactText)) }
        await log.write(step, answer)
        log.onAnswer(answer)
        step += 1
        attempts = 0
      }
      return { ...result, stream: heldBack(result.stream, { ...log, numbers }, timer, end) }
    },
  }
}

type PartStream = ReadableStream<LanguageModelV4StreamPart>
type StopTimer = {
  readonly signal: AbortSignal
  /** Rejects when the time is over or the leg stops: a model need not hear of either. */
  readonly stopped: Promise<never>
  readonly clear: () => void
}

function stopAfter(ms: number, also: AbortSignal | undefined): StopTimer {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(new DOMException("The answer took too long.", "TimeoutError")), ms)
  const signal = also === undefined ? stop.signal : AbortSignal.any([also, stop.signal])
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener("abort", onAbort, { once: true })
  stopped.catch(() => {})
  const clear = (): void => {
    clearTimeout(timer)
    // Node keeps a signal of several with a listener for as long as none of them is aborted, and all that the listener knows.
    signal.removeEventListener("abort", onAbort)
  }
  return { signal, stopped, clear }
}

/** The same parts; calls and the end only once the whole answer is written, or instead an error part that ends it. */
function heldBack(
  stream: PartStream,
  log: Pick<AnswerLog, "toolCalls" | "mustFit" | "readArgs" | "limits"> & { readonly numbers: Map<string, number> },
  { signal, clear }: StopTimer,
  end: (parts: readonly LanguageModelV4StreamPart[]) => Promise<void>,
): PartStream {
  const reader = createPartReader(stream)
  const all = createAnswerParts()
  const held: LanguageModelV4StreamPart[] = []
  const { limits, readArgs, numbers } = log
  const asTaken = createAnswerCalls({ taken: log.toolCalls, numbers, readArgs, limits })
  // Ends what is being read, also where the model's own stream does not hear of it.
  const stop = (): void => void reader.cancel(signal.reason).catch(() => {})
  if (signal.aborted) stop()
  else signal.addEventListener("abort", stop, { once: true })
  const nextPart = async (): Promise<LanguageModelV4StreamPart> => {
    for (;;) {
      const { done, value } = await reader.next()
      signal.throwIfAborted()
      if (done) throw broken("The answer was cut off.")
      if (value.type === "error") throw value.error
      if (value.type === "finish" && value.finishReason.unified === "error")
        throw broken("The model ended its answer with an error.")
      const part = asTaken(value)
      if (part !== null) return part
    }
  }
  const keep = (part: LanguageModelV4StreamPart): void => {
    if (part.type === "ping" || part.type === "raw") return
    all.add(part)
    const bytes = all.bytes()
    if (bytes > limits.answerBytes) throw answerTooLarge("The model's answer", limits.answerBytes)
    log.mustFit(bytes)
  }
  /** Returns the parts that may pass now. */
  const take = async (part: LanguageModelV4StreamPart): Promise<readonly LanguageModelV4StreamPart[]> => {
    keep(part)
    if (part.type === "finish") {
      await end(all.kept())
      return [...held, part]
    }
    if (part.type !== "tool-call" && (held.length === 0 || isOfCallBeingWritten(part))) return [part]
    held.push(part)
    return []
  }
  return new ReadableStream({
    pull: async (controller) => {
      const over = (): void => {
        clear()
        signal.removeEventListener("abort", stop)
        controller.close()
        reader.cancel().catch(() => {})
      }
      try {
        for (;;) {
          const part = await nextPart()
          const passing = await take(part)
          for (const one of passing) controller.enqueue(one)
          if (part.type === "finish") return over()
          if (passing.length > 0) return
        }
      } catch (error) {
        controller.enqueue({ type: "error", error })
        over()
      }
    },
    cancel: (reason) => {
      clear()
      signal.removeEventListener("abort", stop)
      return reader.cancel(reason)
    },
  })
}

/** Such parts trigger no action, and they show that there is progress. */
function isOfCallBeingWritten({ type }: LanguageModelV4StreamPart): boolean {
  return type === "tool-input-start" || type === "tool-input-delta" || type === "tool-input-end"
}

function broken(message: string): Error {
  return new InvalidResponseDataError({ data: null, message })
}

/** Calls are kept as they are: they must run so, and be judged again so. */
function redactedPart(part: LanguageModelV4StreamPart, redactText: AnswerLog["redactText"]): LanguageModelV4StreamPart {
  return part.type === "text-delta" || part.type === "reasoning-delta"
    ? { ...part, delta: redactText(part.delta) }
    : part
}

export function streamOf(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(revived(part))
      controller.close()
    },
  })
}

function revived(part: LanguageModelV4StreamPart): LanguageModelV4StreamPart {
  return part.type === "response-metadata" && typeof part.timestamp === "string"
    ? { ...part, timestamp: new Date(part.timestamp) }
    : part
}

/** Whether AI SDK carries out the calls of an answer that ended so. */
export function callsAreRun({ unified }: LanguageModelV4FinishReason): boolean {
  return unified === "tool-calls" || unified === "stop"
}
