/**
 * A model whose answers are in the journal before anything acts on them.
 *
 * I1. An answer that the journal has is not asked for again.
 * I2. Tool calls and the end of an answer pass only once the whole answer is written.
 * I3. No tool-call id occurs twice in a run, whatever the model says.
 * I4. An answer that breaks off, fails, is too large or takes too long is told as that: it is not written, and none of its calls passes.
 * I5. No configured secret is in the words that are written.
 */
import {
  InvalidResponseDataError,
  type LanguageModelV4File,
  type LanguageModelV4FinishReason,
  type LanguageModelV4Middleware,
  type LanguageModelV4StreamPart,
} from "@ai-sdk/provider"
import type { Answer, GivenAnswer } from "../journal/journal.ts"
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
  readonly redactText: (text: string) => string
  /** How long one answer may take from the question to its end. */
  readonly answerMs: number
}

export function journalAnswers(log: AnswerLog): LanguageModelV4Middleware {
  let step = 0
  let attempts = 0
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
        const answer = { parts: joined(parts).map((part) => redactedPart(part, log.redactText)) }
        await log.write(step, answer)
        log.onAnswer(answer)
        step += 1
        attempts = 0
      }
      return { ...result, stream: heldBack(result.stream, log, timer, end) }
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
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
  stopped.catch(() => {})
  return { signal, stopped, clear: () => clearTimeout(timer) }
}

/** The same parts; calls and the end only once the whole answer is written, or instead an error part that ends it. */
function heldBack(
  stream: PartStream,
  { toolCalls, mustFit }: Pick<AnswerLog, "toolCalls" | "mustFit">,
  { signal, clear }: StopTimer,
  end: (parts: readonly LanguageModelV4StreamPart[]) => Promise<void>,
): PartStream {
  const reader = createPartReader(stream)
  const all: LanguageModelV4StreamPart[] = []
  const held: LanguageModelV4StreamPart[] = []
  const rename = ownIds(toolCalls)
  let bytes = 0
  // Ends what is being read, also where the model's own stream does not hear of it.
  const stop = (): void => void reader.cancel(signal.reason).catch(() => {})
  if (signal.aborted) stop()
  else signal.addEventListener("abort", stop, { once: true })
  const nextPart = async (): Promise<LanguageModelV4StreamPart> => {
    const { done, value } = await reader.next()
    signal.throwIfAborted()
    if (done) throw broken("The answer was cut off.")
    const part = rename(value)
    if (part.type === "error") throw part.error
    if (part.type === "finish" && part.finishReason.unified === "error")
      throw broken("The model ended its answer with an error.")
    bytes += sizeOf(part)
    mustFit(bytes)
    return part
  }
  /** What passes now. */
  const take = async (part: LanguageModelV4StreamPart): Promise<readonly LanguageModelV4StreamPart[]> => {
    if (part.type !== "ping" && part.type !== "raw") all.push(part)
    if (part.type === "finish") {
      await end(all)
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
      return reader.cancel(reason)
    },
  })
}

/** Nobody acts on it, and it shows that there is progress. */
function isOfCallBeingWritten({ type }: LanguageModelV4StreamPart): boolean {
  return type === "tool-input-start" || type === "tool-input-delta" || type === "tool-input-end"
}

function broken(message: string): Error {
  return new InvalidResponseDataError({ data: null, message })
}

/** About how much of the journal a part takes. */
function sizeOf(part: LanguageModelV4StreamPart): number {
  switch (part.type) {
    case "text-delta":
    case "reasoning-delta":
    case "tool-input-delta":
      return part.delta.length
    case "tool-call":
      return part.input.length
    case "file":
      return part.data.type === "data" ? part.data.data.length : 0
    default:
      return 0
  }
}

/** Some models number their calls anew in every answer, or use a number twice in one; the run knows its calls by these ids. */
function ownIds(taken: Set<string>): (part: LanguageModelV4StreamPart) => LanguageModelV4StreamPart {
  /** The id in the run, by the id in the answer. */
  const names = new Map<string, string>()
  const called = new Set<string>()
  const nameOf = (id: string): string => {
    const known = names.get(id)
    if (known !== undefined && !called.has(known)) return known
    const plain = isPlain(id) ? id : "call"
    let name = plain
    for (let n = 2; taken.has(name); n++) name = `${plain}_${n}`
    taken.add(name)
    names.set(id, name)
    return name
  }
  return (part) => {
    switch (part.type) {
      case "tool-input-start":
        return { ...part, id: nameOf(part.id) }
      case "tool-input-delta":
      case "tool-input-end":
        return { ...part, id: names.get(part.id) ?? part.id }
      case "tool-call": {
        const toolCallId = nameOf(part.toolCallId)
        called.add(toolCallId)
        return { ...part, toolCallId }
      }
      case "tool-result":
        return { ...part, toolCallId: names.get(part.toolCallId) ?? part.toolCallId }
      default:
        return part
    }
  }
}

/** An id goes into names of lines and keys of approvals. */
function isPlain(id: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(id)
}

/** Deltas of one text as one, bytes as base64: what the journal keeps. */
function joined(parts: readonly LanguageModelV4StreamPart[]): readonly LanguageModelV4StreamPart[] {
  const out: LanguageModelV4StreamPart[] = []
  for (const part of parts) {
    const last = out.at(-1)
    if (
      last !== undefined &&
      (part.type === "text-delta" || part.type === "reasoning-delta" || part.type === "tool-input-delta") &&
      last.type === part.type &&
      last.id === part.id &&
      part.providerMetadata === undefined
    ) {
      out[out.length - 1] = { ...last, delta: last.delta + part.delta }
    } else out.push(part.type === "file" ? withText(part) : part)
  }
  return out
}

/** Calls are kept as they are: they must run so, and be judged again so. */
function redactedPart(part: LanguageModelV4StreamPart, redactText: AnswerLog["redactText"]): LanguageModelV4StreamPart {
  return part.type === "text-delta" || part.type === "reasoning-delta"
    ? { ...part, delta: redactText(part.delta) }
    : part
}

function withText(part: LanguageModelV4File): LanguageModelV4File {
  const { data } = part
  if (data.type !== "data" || typeof data.data === "string") return part
  return { ...part, data: { type: "data", data: base64Of(data.data) } }
}

function base64Of(bytes: Uint8Array): string {
  let text = ""
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
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
