import assert from "node:assert/strict"
import { type Model, type ModelRequest, type ModelResponse, Usage } from "@openai/agents"

/** A model that makes these calls, a list per step, then says that it is done. */
export function scripted(steps: ReadonlyArray<ReadonlyArray<readonly [string, object]>>) {
  const requests: ModelRequest[] = []
  const model: Model & { told: () => string[]; offered: () => string[] } = {
    getResponse: async (request): Promise<ModelResponse> => {
      const calls = steps[requests.push(request) - 1] ?? []
      const output = calls.map(([name, args], at) => ({
        type: "function_call" as const,
        callId: `call-${requests.length}-${at}`,
        name,
        arguments: JSON.stringify(args),
        status: "completed" as const,
      }))
      const done = {
        type: "message" as const,
        role: "assistant" as const,
        status: "completed" as const,
        content: [{ type: "output_text" as const, text: "Done." }],
      }
      return { usage: new Usage(), output: output.length > 0 ? output : [done] }
    },
    getStreamedResponse: () => assert.fail("nothing is streamed here"),
    told: () => {
      const input = requests.at(-1)?.input ?? []
      if (typeof input === "string") return []
      return input.flatMap((item) => (item.type === "function_call_result" ? [JSON.stringify(item.output)] : []))
    },
    offered: () => requests[0]?.tools.flatMap((given) => ("name" in given ? [given.name] : [])) ?? [],
  }
  return model
}
