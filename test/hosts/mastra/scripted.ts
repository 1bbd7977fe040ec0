type Calls = ReadonlyArray<readonly [tool: string, args: object]>
type Part = { readonly type: string; readonly output?: unknown }
type CallOptions = {
  readonly prompt: ReadonlyArray<{ readonly role: string; readonly content: string | readonly Part[] }>
  readonly tools?: ReadonlyArray<{ readonly name: string }>
}

/** A model that makes these calls, a list per step, then says that it is done. */
export function scripted(steps: readonly Calls[]) {
  const asked: CallOptions[] = []
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
  const next = (options: CallOptions) => {
    const calls = steps[asked.push(options) - 1] ?? []
    return calls.map(([toolName, args], at) => ({
      type: "tool-call" as const,
      toolCallId: `call-${asked.length}-${at}`,
      toolName,
      input: JSON.stringify(args),
    }))
  }
  return {
    specificationVersion: "v2" as const,
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async (options: CallOptions) => {
      const calls = next(options)
      const finishReason = calls.length > 0 ? ("tool-calls" as const) : ("stop" as const)
      const content = calls.length > 0 ? calls : [{ type: "text" as const, text: "Done." }]
      return { content, finishReason, usage, warnings: [] }
    },
    doStream: async (options: CallOptions) => {
      const calls = next(options)
      const finishReason = calls.length > 0 ? ("tool-calls" as const) : ("stop" as const)
      const said = [
        { type: "text-start" as const, id: "t" },
        { type: "text-delta" as const, id: "t", delta: "Done." },
        { type: "text-end" as const, id: "t" },
      ]
      const parts = [
        { type: "stream-start" as const, warnings: [] },
        ...(calls.length > 0 ? calls : said),
        { type: "finish" as const, finishReason, usage },
      ]
      const stream = new ReadableStream({
        start: (controller) => {
          for (const part of parts) controller.enqueue(part)
          controller.close()
        },
      })
      return { stream }
    },
    told: (): string[] =>
      (asked.at(-1)?.prompt ?? []).flatMap(({ role, content }) =>
        role === "tool" && typeof content !== "string" ? content.map(({ output }) => JSON.stringify(output)) : [],
      ),
    offered: (): string[] => asked[0]?.tools?.map(({ name }) => name) ?? [],
  }
}
