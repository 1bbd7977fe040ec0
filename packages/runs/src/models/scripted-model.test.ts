import type { LanguageModelV4CallOptions, LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import type { ScriptedStep } from "@byleave/core"
import { isStepCount, jsonSchema, streamText, tool } from "ai"
import { describe, expect, it } from "vitest"
import { collect } from "./fixtures/collect.ts"
import { openModel } from "./open-model.ts"
import { createScriptedModel } from "./scripted-model.ts"

const user = (text: string): LanguageModelV4Prompt[number] => ({ role: "user", content: [{ type: "text", text }] })
const assistant = (text: string): LanguageModelV4Prompt[number] => ({
  role: "assistant",
  content: [{ type: "text", text }],
})
const result = (value: string): LanguageModelV4Prompt[number] => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "c", toolName: "t", output: { type: "text", value } }],
})

const scripted = (steps: readonly ScriptedStep[]) => createScriptedModel({ name: "demo", provider: "scripted", steps })

async function partsFor(
  steps: readonly ScriptedStep[],
  prompt: LanguageModelV4Prompt,
  more: Partial<LanguageModelV4CallOptions> = {},
): Promise<readonly LanguageModelV4StreamPart[]> {
  const { stream } = await scripted(steps).doStream({ prompt, ...more })
  return collect(stream)
}

async function saidTo(steps: readonly ScriptedStep[], prompt: LanguageModelV4Prompt): Promise<string> {
  const { content } = await scripted(steps).doGenerate({ prompt })
  return content.map((part) => (part.type === "text" ? part.text : "")).join("")
}

it("each message is read a few times, however many answers there are", async () => {
  const reads = { count: 0 }
  const counted = (message: LanguageModelV4Prompt[number]): LanguageModelV4Prompt[number] => {
    const { content } = message
    return Object.defineProperty({ ...message }, "content", {
      get: () => {
        reads.count += 1
        return content
      },
    })
  }
  const pairs = Array.from({ length: 300 }, (_, n) => [assistant(`a${n}`), result(`r${n}`)])
  const prompt = [user("go"), ...pairs.flat()].map(counted)
  expect(await saidTo([{ say: "first" }, { when: "r299", say: "at last" }], prompt)).toBe("at last")
  expect(reads.count).toBeLessThan(5 * prompt.length)
})

describe("I1: what is played follows from the messages", () => {
  const steps: readonly ScriptedStep[] = [
    { say: "first" },
    { when: "Not today", say: "As you wish." },
    { when: "done", say: "It is done." },
    { say: "last" },
  ]

  it.each([
    { name: "the first step first", prompt: [user("hi")], said: "first" },
    {
      name: "by a tool's result",
      prompt: [user("hi"), assistant("first"), result("all done")],
      said: "It is done.",
    },
    {
      name: "by the reason of a denial",
      prompt: [user("hi"), assistant("first"), result("Denied: Not today")],
      said: "As you wish.",
    },
    { name: "what has no condition otherwise", prompt: [user("hi"), assistant("first"), user("and?")], said: "last" },
    {
      name: "a step that was passed over may still come",
      prompt: [user("hi"), assistant("first"), user("and?"), assistant("last"), user("done yet?")],
      said: "It is done.",
    },
    {
      name: "no step twice",
      prompt: [user("done"), assistant("first"), assistant("It is done."), assistant("last"), user("done")],
      said: "My script has no further step for this. I am a scripted model: I only play what was written down for me.",
    },
  ] satisfies ReadonlyArray<{ name: string; prompt: LanguageModelV4Prompt; said: string }>)(
    "$name",
    async ({ prompt, said }) => {
      expect(await saidTo(steps, prompt)).toBe(said)
    },
  )
})

describe("what it streams", () => {
  it("is small chunks that join to the text, and calls with ids of their own", async () => {
    const parts = await partsFor(
      [
        {
          reasoning: "Let me look.",
          say: "I shall tidy  your notes,\nall of them.",
          calls: [
            { tool: "files(list_directory)", args: { path: "notes" } },
            { tool: "files(list_directory)", args: { path: "notes" } },
          ],
        },
      ],
      [user("tidy my notes")],
    )
    const deltas = parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : []))
    expect(deltas.join("")).toBe("I shall tidy  your notes,\nall of them.")
    expect(deltas.length).toBeGreaterThan(5)
    expect(parts.filter(({ type }) => type === "tool-call")).toEqual([
      { type: "tool-call", toolCallId: "scripted-1-1", toolName: "files__list_directory", input: '{"path":"notes"}' },
      { type: "tool-call", toolCallId: "scripted-1-2", toolName: "files__list_directory", input: '{"path":"notes"}' },
    ])
    expect(parts.at(-1)).toEqual({
      type: "finish",
      finishReason: { unified: "tool-calls", raw: "tool-calls" },
      usage: {
        inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 15, text: 12, reasoning: 3 },
      },
    })
  })

  it("names a tool as the model was told it", async () => {
    const tools = [{ type: "function" as const, name: "files(read)", inputSchema: {} }]
    const parts = await partsFor([{ calls: [{ tool: "files(read)", args: {} }] }], [user("go")], { tools })
    expect(parts.find(({ type }) => type === "tool-call")).toMatchObject({ toolName: "files(read)" })
  })

  it("stops when it is told to", async () => {
    const stop = new AbortController()
    const { stream } = await scripted([{ say: "one two three" }]).doStream({
      prompt: [user("go")],
      abortSignal: stop.signal,
    })
    const reader = stream.getReader()
    await reader.read()
    stop.abort(new Error("enough"))
    await expect(collect(readOn(reader))).rejects.toThrow("enough")
  })
})

describe("failures", () => {
  it("are played once, then what follows them", async () => {
    const model = scripted([{ fail: { status: 429, message: "slow down", retryAfter: 2 } }, { say: "better" }])
    const call = { prompt: [user("go")] }
    await expect(model.doStream(call)).rejects.toMatchObject({
      statusCode: 429,
      message: "slow down",
      isRetryable: true,
      responseHeaders: { "retry-after": "2" },
    })
    expect(await model.doGenerate(call)).toMatchObject({ content: [{ type: "text", text: "better" }] })
  })

  it("cut an answer off after what it says", async () => {
    const parts = await partsFor([{ say: "half a", fail: { message: "terminated" } }], [user("go")])
    expect(parts.map(({ type }) => type)).not.toContain("finish")
    expect(parts.at(-1)).toMatchObject({ type: "error", error: { message: "terminated" } })
  })
})

it("plays through AI SDK's loop", async () => {
  const model = await openModel({
    name: "demo",
    provider: "scripted",
    steps: [
      { say: "Looking.", calls: [{ tool: "files(list)", args: { path: "." } }] },
      { when: "notes.md", say: "There is notes.md." },
    ],
  })
  const files = tool({ inputSchema: jsonSchema<{ path: string }>({ type: "object" }), execute: () => "notes.md" })
  const done = streamText({
    model,
    prompt: "tidy my notes",
    tools: { files__list: files },
    stopWhen: isStepCount(3),
  })
  expect(await done.text).toBe("There is notes.md.")
  expect((await done.steps).map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "stop"])
})

async function* readOn(reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>) {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}
