import { MockLanguageModelV4 } from "ai/test"

type ToolCall = readonly [tool: string, args: object]
type Prompt = MockLanguageModelV4["doGenerateCalls"][number]["prompt"]

/** A model of the AI SDK that makes these calls, a list per step, then says that it is done. `told`: what it was told of them, in order. */
export function scriptedModel(
  steps: ReadonlyArray<readonly ToolCall[]>,
): MockLanguageModelV4 & { told: () => string[] } {
  let step = 0
  let ids = 0
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const model = new MockLanguageModelV4({
    doGenerate: async () => {
      const calls = steps[step++] ?? []
      const content = calls.map(([toolName, args]) => ({
        type: "tool-call" as const,
        toolCallId: `call-${ids++}`,
        toolName,
        input: JSON.stringify(args),
      }))
      const unified = calls.length > 0 ? ("tool-calls" as const) : ("stop" as const)
      return {
        content: calls.length > 0 ? content : [{ type: "text", text: "Done." }],
        finishReason: { unified, raw: undefined },
        usage,
        warnings: [],
      }
    },
  })
  return Object.assign(model, { told: () => toldIn(model.doGenerateCalls.at(-1)?.prompt ?? []) })
}

function toldIn(prompt: Prompt): string[] {
  return prompt.flatMap(({ role, content }) =>
    role === "tool" ? content.map((part) => (part.type === "tool-result" ? JSON.stringify(part.output) : "")) : [],
  )
}
