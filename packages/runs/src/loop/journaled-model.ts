/**
 * A model whose answers are in the journal before anything acts on them.
 *
 * I1. An answer that the journal has is not asked for again.
 * I2. Tool calls and the end of an answer pass only once the whole answer is written.
 * I3. No tool-call id occurs twice in a run, whatever the model says.
 */
import type {
  LanguageModelV4File,
  LanguageModelV4FinishReason,
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider"
import type { Answer } from "../journal/journal.ts"

export type AnswerLog = {
  /** Of the leg under way, in order: those that were given before. */
  readonly given: readonly Answer[]
  /** Ids that earlier calls of the run have. */
  readonly toolCalls: Set<string>
  readonly write: (step: number, answer: Answer) => Promise<void>
  /** Told once an answer is in the journal, before any of its calls is seen. */
  readonly onAnswer: (answer: Answer, step: number) => void
  /** Told when a step asks the model again, after a failure. */
  readonly onRetry: (attempt: number) => void
}

export function journalAnswers(log: AnswerLog): LanguageModelV4Middleware {
  let step = 0
  let attempts = 0
  return {
    specificationVersion: "v4",
    wrapStream: async ({ doStream }) => {
      const given = log.given[step]
      if (given !== undefined) {
        log.onAnswer(given, step)
        step += 1
        return { stream: streamOf(given.parts) }
      }
      attempts += 1
      if (attempts > 1) log.onRetry(attempts)
      const result = await doStream()
      const end = async (parts: readonly LanguageModelV4StreamPart[]): Promise<void> => {
        const answer = { parts: joined(parts) }
        await log.write(step, answer)
        log.onAnswer(answer, step)
        step += 1
        attempts = 0
      }
      return { ...result, stream: result.stream.pipeThrough(holdBack(log.toolCalls, end)) }
    },
  }
}

function holdBack(
  taken: Set<string>,
  end: (parts: readonly LanguageModelV4StreamPart[]) => Promise<void>,
): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  const all: LanguageModelV4StreamPart[] = []
  const held: LanguageModelV4StreamPart[] = []
  const rename = ownIds(taken)
  return new TransformStream({
    transform: async (given, controller) => {
      const part = rename(given)
      if (part.type !== "ping" && part.type !== "raw" && part.type !== "error") all.push(part)
      if (part.type !== "tool-call" && part.type !== "finish" && held.length === 0) controller.enqueue(part)
      else held.push(part)
      if (part.type !== "finish") return
      await end(all)
      for (const one of held.splice(0)) controller.enqueue(one)
    },
  })
}

/** Some models number their calls anew in every answer, or use a number twice in one; the run knows its calls by these ids. */
function ownIds(taken: Set<string>): (part: LanguageModelV4StreamPart) => LanguageModelV4StreamPart {
  /** The id in the run, by the id in the answer. */
  const names = new Map<string, string>()
  const called = new Set<string>()
  const nameOf = (id: string): string => {
    const known = names.get(id)
    if (known !== undefined && !called.has(known)) return known
    let name = id
    for (let n = 2; taken.has(name); n++) name = `${id}_${n}`
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
