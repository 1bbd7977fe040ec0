import type { LanguageModelV4 } from "@byleave/runs"

type Call = Parameters<LanguageModelV4["doStream"]>[0]
type Streamed = Awaited<ReturnType<LanguageModelV4["doStream"]>>
export type AnswerPart = Streamed["stream"] extends ReadableStream<infer Part> ? Part : never

/** What a model does when it is asked: the parts it streams, or anything else. */
export type GivenAnswer = readonly AnswerPart[] | ((call: Call) => Streamed["stream"] | Promise<Streamed["stream"]>)

export type GivenModel = LanguageModelV4 & {
  /** Every prompt, as it was asked. */
  readonly prompts: Call["prompt"][]
}

/** A model that answers with these, one after the other, whatever it is asked; the last one again and again. */
export function givenModel(...answers: readonly GivenAnswer[]): GivenModel {
  const prompts: Call["prompt"][] = []
  return {
    specificationVersion: "v4",
    provider: "given",
    modelId: "given",
    supportedUrls: {},
    prompts,
    doGenerate: () => Promise.reject(new Error("Only streams are asked for.")),
    doStream: async (call) => {
      prompts.push(call.prompt)
      const answer = answers[Math.min(prompts.length, answers.length) - 1]
      if (answer === undefined) throw new Error("There is no answer.")
      return { stream: typeof answer === "function" ? await answer(call) : streamOf(answer) }
    },
  }
}

export function streamOf(parts: Iterable<AnswerPart>): Streamed["stream"] {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

/** Streams these, and then nothing any more. */
export function hangingAfter(...parts: readonly AnswerPart[]): Streamed["stream"] {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part)
    },
  })
}

export function said(text: string, id = "t"): readonly AnswerPart[] {
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta: text },
    { type: "text-end", id },
  ]
}

export function called(toolCallId: string, toolName: string, input: string): AnswerPart {
  return { type: "tool-call", toolCallId, toolName, input }
}

type Reason = Extract<AnswerPart, { type: "finish" }>["finishReason"]["unified"]

export function ended(unified: Reason): AnswerPart {
  const usage = {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
  }
  return { type: "finish", usage, finishReason: { unified, raw: unified } }
}

export function says(text: string): readonly AnswerPart[] {
  return [...said(text), ended("stop")]
}

export function calls(...made: readonly AnswerPart[]): readonly AnswerPart[] {
  return [...made, ended("tool-calls")]
}
