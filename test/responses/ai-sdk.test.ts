import { createOpenAI } from "@ai-sdk/openai"
import { generateText, isStepCount, type ModelMessage, streamText } from "ai"
import { describe, expect, it } from "vitest"
import { openResponses, type ResponsesTest } from "./open-responses.ts"

const oneWrite = [
  { when: "thanks", say: "You are welcome." },
  { reasoning: "It must be written.", say: "I will write it.", calls: [{ tool: "files(write)", args: { path: "a" } }] },
  { say: "It is written." },
]

function modelOf(world: ResponsesTest, token: string) {
  const openai = createOpenAI({ apiKey: token, baseURL: world.url })
  const files = openai.tools.mcp({
    serverLabel: "files",
    serverUrl: "https://files.example/mcp",
    requireApproval: "always",
  })
  return { model: openai.responses("scripted"), tools: { files }, stopWhen: isStepCount(3) }
}

/** The answer to every approval request of a step, as the AI SDK wants it. */
function approvals(messages: readonly ModelMessage[], approved: boolean): ModelMessage {
  const content = messages.flatMap((message) => {
    if (message.role !== "assistant" || typeof message.content === "string") return []
    return message.content.flatMap((part) =>
      part.type === "tool-approval-request"
        ? [{ type: "tool-approval-response" as const, approvalId: part.approvalId, approved, providerExecuted: true }]
        : [],
    )
  })
  return { role: "tool", content }
}

describe("@ai-sdk/openai", () => {
  it.each([{ store: true }, { store: false }])(
    "approves with references or whole items (store: $store)",
    async ({ store }) => {
      const world = await openResponses(oneWrite)
      const call = { ...modelOf(world, "desk"), providerOptions: { openai: { store } } }
      const asked: ModelMessage[] = [{ role: "user", content: "write it" }]
      const first = await generateText({ ...call, messages: asked })
      const between = [...asked, ...first.responseMessages, approvals(first.responseMessages, true)]
      const second = await generateText({ ...call, messages: between })
      expect(second.text).toBe("It is written.")
      expect(world.tools.dispatched).toEqual([{ tool: "write", args: { path: "a" } }])
      const more: ModelMessage[] = [...between, ...second.responseMessages, { role: "user", content: "thanks" }]
      expect((await generateText({ ...call, messages: more })).text).toBe("You are welcome.")
      expect(world.tools.dispatched).toHaveLength(1)
      expect(world.troubles).toEqual([])
    },
  )

  it("denies", async () => {
    const world = await openResponses(oneWrite)
    const call = modelOf(world, "shop")
    const asked: ModelMessage[] = [{ role: "user", content: "write it" }]
    const first = await generateText({ ...call, messages: asked })
    const between = [...asked, ...first.responseMessages, approvals(first.responseMessages, false)]
    expect((await generateText({ ...call, messages: between })).text).toBe("It is written.")
    expect(world.tools.dispatched).toEqual([])
  })

  it("streams both legs", async () => {
    const world = await openResponses(oneWrite)
    const call = modelOf(world, "desk")
    const asked: ModelMessage[] = [{ role: "user", content: "write it" }]
    const errors: unknown[] = []
    const onError = ({ error }: { error: unknown }) => void errors.push(error)
    const first = streamText({ ...call, messages: asked, onError })
    await first.consumeStream()
    const said = await first.responseMessages
    const second = streamText({ ...call, messages: [...asked, ...said, approvals(said, true)], onError })
    await second.consumeStream()
    expect(await second.text).toBe("It is written.")
    expect(errors).toEqual([])
    expect(world.tools.dispatched).toHaveLength(1)
  })

  it("goes by previousResponseId, too", async () => {
    const world = await openResponses(oneWrite)
    const call = modelOf(world, "desk")
    const first = await generateText({ ...call, prompt: "write it" })
    const previousResponseId = String(first.providerMetadata?.openai?.responseId)
    const second = await generateText({
      ...call,
      messages: [...first.responseMessages, approvals(first.responseMessages, true)],
      providerOptions: { openai: { previousResponseId } },
    })
    expect(second.text).toBe("It is written.")
    expect(world.tools.dispatched).toHaveLength(1)
  })
})
