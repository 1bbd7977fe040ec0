import type { LanguageModelV4 } from "@byleave/runs"

type Streamed = Awaited<ReturnType<LanguageModelV4["doStream"]>>
type Part = Streamed["stream"] extends ReadableStream<infer P> ? P : never

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 50, text: 50, reasoning: 0 },
}

/** A model that says these things one after the other, as its prompt's length tells; costs next to nothing itself. `paced`: every piece comes by itself. */
export function benchModel(answers: ReadonlyArray<readonly Part[]>, paced = false): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "bench",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("Only streams are asked for.")),
    doStream: async ({ prompt }) => {
      const step = prompt.filter(({ role }) => role === "assistant").length
      const parts = answers[step] ?? answers.at(-1) ?? []
      return { stream: paced ? oneByOne(parts) : atOnce(parts) }
    },
  }
}

function atOnce(parts: readonly Part[]): Streamed["stream"] {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

function oneByOne(parts: readonly Part[]): Streamed["stream"] {
  let at = 0
  return new ReadableStream({
    pull: async (controller) => {
      await new Promise((resolve) => setImmediate(resolve))
      const part = parts[at]
      at += 1
      if (part === undefined) controller.close()
      else controller.enqueue(part)
    },
  })
}

/** Words in pieces, as models stream them. */
export function saying(text: string): readonly Part[] {
  const deltas = (text.match(/\S+\s*/g) ?? []).map((delta): Part => ({ type: "text-delta", id: "t", delta }))
  return [{ type: "text-start", id: "t" }, ...deltas, { type: "text-end", id: "t" }]
}

/** Calls of a tool with a path each, their arguments in pieces. */
export function calling(tool: string, paths: readonly string[]): readonly Part[] {
  return paths.flatMap((path, n): readonly Part[] => {
    const [id, input] = [`call-${path}-${n}`, JSON.stringify({ path })]
    return [
      { type: "tool-input-start", id, toolName: tool },
      ...(input.match(/.{1,6}/g) ?? []).map((delta): Part => ({ type: "tool-input-delta", id, delta })),
      { type: "tool-input-end", id },
      { type: "tool-call", toolCallId: id, toolName: tool, input },
    ]
  })
}

export function ending(unified: "stop" | "tool-calls"): Part {
  return { type: "finish", usage, finishReason: { unified, raw: unified } }
}
