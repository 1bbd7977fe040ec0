import { Agent, hostedMcpTool, OpenAIResponsesModel, Runner, RunState, tool } from "@openai/agents"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { openResponses, type ResponsesTest } from "./open-responses.ts"

const oneWrite = [
  { say: "I will write it.", calls: [{ tool: "files(write)", args: { path: "a" } }] },
  { say: "It is written." },
  { when: "thanks", say: "You are welcome." },
]

function agentFor(world: ResponsesTest, token: string, tools: Agent["tools"]) {
  const model = new OpenAIResponsesModel(world.clientOf(token), "scripted")
  return new Agent({ name: "writer", instructions: "Write.", model, tools })
}

const runner = new Runner({ tracingDisabled: true })

describe("@openai/agents", () => {
  it("approves in its callback, with whole items instead of a response's id", async () => {
    const world = await openResponses(oneWrite)
    const asked: string[] = []
    const files = hostedMcpTool({
      serverLabel: "files",
      requireApproval: "always",
      onApproval: async (_, item) => {
        asked.push(item.name ?? "")
        return { approve: true }
      },
    })
    const result = await runner.run(agentFor(world, "desk", [files]), "write it")
    expect(result.finalOutput).toBe("It is written.")
    expect(asked).toEqual(["write"])
    expect(world.tools.dispatched).toEqual([{ tool: "write", args: { path: "a" } }])
    const next = await runner.run(agentFor(world, "desk", [files]), [
      ...result.history,
      { role: "user", content: "thanks" },
    ])
    expect(next.finalOutput).toBe("You are welcome.")
    expect(world.tools.dispatched).toHaveLength(1)
    expect(world.troubles).toEqual([])
  })

  it("denies in its callback, with a reason", async () => {
    const world = await openResponses(oneWrite)
    const files = hostedMcpTool({
      serverLabel: "files",
      requireApproval: "always",
      onApproval: async () => ({ approve: false, reason: "Not today." }),
    })
    const result = await runner.run(agentFor(world, "shop", [files]), "write it")
    expect(result.finalOutput).toBe("It is written.")
    expect(world.tools.dispatched).toEqual([])
  })

  it("interrupts, keeps its state as text, and goes on with it", async () => {
    const world = await openResponses(oneWrite)
    const files = hostedMcpTool({ serverLabel: "files", requireApproval: "always" })
    const agent = agentFor(world, "desk", [files])
    const first = await runner.run(agent, "write it")
    expect(first.interruptions).toHaveLength(1)
    const state = await RunState.fromString(agent, first.state.toString())
    for (const item of state.getInterruptions()) state.approve(item)
    const second = await runner.run(agent, state)
    expect(second.finalOutput).toBe("It is written.")
    expect(world.tools.dispatched).toHaveLength(1)
  })

  it("streams, and runs functions of its own beside servers' tools", async () => {
    const world = await openResponses([
      {
        calls: [
          { tool: "weather", args: { city: "Ulm" } },
          { tool: "files(read)", args: { path: "a" } },
        ],
      },
      { when: "rain", say: "Take an umbrella." },
    ])
    const weather = tool({
      name: "weather",
      description: "Tells the weather.",
      parameters: z.object({ city: z.string() }),
      execute: async ({ city }) => `rain in ${city}`,
    })
    const files = hostedMcpTool({ serverLabel: "files", requireApproval: "never" })
    const result = await runner.run(agentFor(world, "shop", [weather, files]), "umbrella?", { stream: true })
    const types = new Set<string>()
    for await (const event of result) types.add(event.type)
    await result.completed
    expect(result.finalOutput).toBe("Take an umbrella.")
    expect(types.has("raw_model_stream_event")).toBe(true)
    expect(world.tools.dispatched).toEqual([{ tool: "read", args: { path: "a" } }])
  })
})
