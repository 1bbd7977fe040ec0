import type OpenAI from "openai"
import { describe, expect, it } from "vitest"
import { countingTools } from "../runs/open-runs.ts"
import { answersTo, filesTool, openResponses, requestsIn, waitingCalls } from "./open-responses.ts"

/** Of 100 bytes. */
const wide = "w".repeat(100)

const talk = [
  { when: "hello", say: "Hello there." },
  { when: "bye", say: "Good bye." },
  { when: "hm", say: "Hm?" },
]

describe("a response through the openai client", () => {
  it("is created, retrieved as it was, and lists its input", async () => {
    const { client } = await openResponses(talk)
    const made = await client.responses.create({
      input: "hello",
      instructions: "Be brief.",
      metadata: { order: "7" },
      temperature: 0.5,
    })
    expect(made).toMatchObject({
      status: "completed",
      instructions: "Be brief.",
      metadata: { order: "7" },
      temperature: 0.5,
      error: null,
      incomplete_details: null,
      output_text: "Hello there.",
    })
    expect(await client.responses.retrieve(made.id)).toMatchObject({ ...made, created_at: made.created_at })
    const { data } = await client.responses.inputItems.list(made.id)
    expect(data).toMatchObject([{ type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] }])
  })

  it.each([
    { name: "instructions", more: { instructions: "x".repeat(200_001) } },
    { name: "metadata", more: { metadata: { note: "x".repeat(17_000) } } },
    {
      name: "text",
      more: {
        text: {
          format: { type: "json_schema" as const, name: "n", schema: { x: Array.from({ length: 700 }, () => wide) } },
        },
      },
    },
    { name: "reasoning", more: { reasoning: { summary: "auto" as const, note: wide.repeat(50) } } },
    {
      name: "tool_choice",
      more: {
        tool_choice: {
          type: "allowed_tools" as const,
          mode: "auto" as const,
          tools: Array.from({ length: 200 }, () => ({ type: "function", name: wide })),
        },
      },
    },
    { name: "safety_identifier", more: { safety_identifier: wide.repeat(12) } },
    { name: "prompt_cache_key", more: { prompt_cache_key: wide.repeat(12) } },
    { name: "previous_response_id", more: { previous_response_id: wide.repeat(12) } },
    {
      name: "tools",
      more: {
        tools: [
          {
            type: "function" as const,
            name: "f",
            strict: null,
            parameters: { type: "object", x: "x".repeat(270_000) },
          },
        ],
      },
    },
  ])("is refused with more $name than is kept with a run", async ({ name, more }) => {
    const { client } = await openResponses(talk)
    const refused = { status: 400, param: name }
    await expect(client.responses.create({ input: "hello", ...more })).rejects.toMatchObject(refused)
  })

  it("is not begun by arguments of more values than a request may have: small texts that take much memory", async () => {
    const { client, gate } = await openResponses(talk)
    const args = JSON.stringify({ lists: Array.from({ length: 20_000 }, () => []) })
    const call = (id: string): OpenAI.Responses.ResponseInputItem => ({
      ...{ type: "mcp_call", id, server_label: "files", name: "read", output: "x" },
      arguments: args,
    })
    const input = [call("a"), call("b"), call("c"), { role: "user" as const, content: "hello" }]
    await expect(client.responses.create({ input })).rejects.toMatchObject({
      status: 400,
      code: "context_length_exceeded",
      message: expect.stringContaining("more than 50000 values together"),
    })
    expect(await gate.runs({ limit: 1 })).toEqual([])
    expect(await client.responses.create({ input: input.slice(1) })).toMatchObject({ output_text: "Hello there." })
  })

  it("is streamed word by word, and its end is what is retrieved", async () => {
    const { client } = await openResponses([{ reasoning: "Let me think.", say: "One two three." }])
    const stream = client.responses.stream({ input: "count" })
    const events: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of stream) events.push(event)
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
    expect([...new Set(events.map(({ type }) => type))]).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.reasoning_summary_part.added",
      "response.reasoning_summary_text.delta",
      "response.reasoning_summary_text.done",
      "response.reasoning_summary_part.done",
      "response.output_item.done",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.completed",
    ])
    const final = await stream.finalResponse()
    const stored = await client.responses.retrieve(final.id)
    expect(stored.output).toEqual(JSON.parse(JSON.stringify(final.output)).map(withoutParsed))
    expect(stored.usage).toEqual(final.usage)
  })

  it("lists a server's tools first, once in a chain (R198)", async () => {
    const world = await openResponses(talk)
    const tools = [filesTool({ allowed_tools: ["read", "write"] })]
    const first = await world.client.responses.create({ input: "hello", tools })
    expect(first.output).toMatchObject([
      { type: "mcp_list_tools", server_label: "files", tools: [{ name: "read" }, { name: "write" }] },
      { type: "message" },
    ])
    const second = await world.client.responses.create({ previous_response_id: first.id, input: "bye", tools })
    expect(second.output.map(({ type }) => type)).toEqual(["message"])
    expect(second.previous_response_id).toBe(first.id)
    expect(second.output_text).toBe("Good bye.")
  })

  it("can be followed up twice: chains fork (R198)", async () => {
    const world = await openResponses(talk)
    const first = await world.client.responses.create({ input: "hello" })
    const one = await world.client.responses.create({ previous_response_id: first.id, input: "bye" })
    const two = await world.client.responses.create({ previous_response_id: first.id, input: "hm" })
    expect([one.output_text, two.output_text]).toEqual(["Good bye.", "Hm?"])
    expect(one.id).not.toBe(two.id)
    const three = await world.client.responses.create({ previous_response_id: two.id, input: "bye" })
    expect(three.output_text).toBe("Good bye.")
    expect(await world.client.responses.retrieve(one.id)).toMatchObject({ output_text: "Good bye." })
  })

  it("is found again by a client that repeats its follow-up after a lost answer", async () => {
    const world = await openResponses(talk)
    const first = await world.client.responses.create({ input: "hello" })
    const given = { previous_response_id: first.id, input: "bye" }
    const second = await world.client.responses.create(given)
    const headers = { "x-stainless-retry-count": "1" }
    expect((await world.client.responses.create(given, { headers })).id).toBe(second.id)
    expect((await world.client.responses.create({ ...given, input: "hm" }, { headers })).id).not.toBe(second.id)
  })

  it("is deleted; the rest of its chain stays", async () => {
    const world = await openResponses(talk)
    const first = await world.client.responses.create({ input: "hello" })
    const second = await world.client.responses.create({ previous_response_id: first.id, input: "bye" })
    await world.client.responses.delete(first.id)
    await expect(world.client.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 })
    expect(await world.client.responses.retrieve(second.id)).toMatchObject({ output_text: "Good bye." })
    await world.client.responses.delete(second.id)
    await expect(world.client.responses.retrieve(second.id)).rejects.toThrow(
      `404 Response with id '${second.id}' not found.`,
    )
    expect(await world.runs.get(first.id.split("_")[1] ?? "")).toBeUndefined()
    await expect(world.client.responses.create({ previous_response_id: second.id, input: "hm" })).rejects.toMatchObject(
      { status: 400, code: "previous_response_not_found" },
    )
  })

  it("that waits is deleted with what waits for it", async () => {
    const world = await openResponses([{ calls: [{ tool: "files(write)", args: {} }] }])
    const first = await world.client.responses.create({ input: "write", tools: [filesTool()] })
    const [waiting] = await waitingCalls(world, first.id)
    await world.client.responses.delete(first.id)
    expect(await world.gate.approval(waiting ?? "")).toMatchObject({ status: "cancelled" })
  })

  it("runs in the background, and is cancelled there", async () => {
    const pause = Promise.withResolvers<void>()
    const { client, runs } = await openResponses([{ calls: [{ tool: "files(read)", args: {} }] }, { say: "Read." }], {
      tools: slowTools(pause.promise),
    })
    const made = await client.responses.create({ input: "read", tools: [filesTool()], background: true })
    expect(made).toMatchObject({ status: "in_progress", background: true })
    expect(await client.responses.retrieve(made.id)).toMatchObject({ status: "in_progress" })
    await expect(client.responses.create({ previous_response_id: made.id, input: "more" })).rejects.toMatchObject({
      status: 409,
    })
    expect(await client.responses.cancel(made.id)).toMatchObject({ status: "cancelled" })
    pause.resolve()
    expect(await client.responses.retrieve(made.id)).toMatchObject({ status: "cancelled" })
    expect((await runs.get(made.id.split("_")[1] ?? ""))?.status).toBe("cancelled")
    const done = await client.responses.create({ input: "read", background: true })
    await expect.poll(async () => (await client.responses.retrieve(done.id)).status).toBe("completed")
    await expect(client.responses.cancel(done.id)).rejects.toThrow("Cannot cancel a completed response.")
  })

  it("is taken up again in the middle of its stream, and after it", async () => {
    const pause = Promise.withResolvers<void>()
    const steps = [{ say: "Reading it now.", calls: [{ tool: "files(read)", args: {} }] }, { say: "It was read." }]
    const { client } = await openResponses(steps, { tools: slowTools(pause.promise) })
    const stream = await client.responses.create({ input: "go", tools: [filesTool()], stream: true, background: true })
    let id = ""
    let last = 0
    for await (const event of stream) {
      if (event.type === "response.created") id = event.response.id
      last = event.sequence_number
      if (event.type === "response.output_text.done") break
    }
    const rest = await client.responses.retrieve(id, { stream: true, starting_after: last })
    pause.resolve()
    const seen: number[] = []
    let text = ""
    for await (const event of rest) {
      seen.push(event.sequence_number)
      if (event.type === "response.completed") text = event.response.output.map(({ type }) => type).join(" ")
    }
    expect(seen).toEqual(seen.map((_, index) => last + 1 + index))
    expect(text).toBe("mcp_list_tools message mcp_call message")
    const end: string[] = []
    for await (const event of await client.responses.retrieve(id, { stream: true, starting_after: last })) {
      end.push(event.type)
    }
    expect(end).toEqual(["response.completed"])
  })

  it("is neither retrieved nor followed up by id when it is not stored; items go on", async () => {
    const { client } = await openResponses([
      { calls: [{ tool: "files(read)", args: { path: "a" } }] },
      { say: "Read." },
    ])
    const tools = [filesTool({ require_approval: "always" })]
    const first = await client.responses.create({ input: "read it", tools, store: false })
    await expect(client.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 })
    await expect(client.responses.create({ previous_response_id: first.id, input: "x" })).rejects.toMatchObject({
      status: 400,
    })
    const second = await client.responses.create({
      input: [{ role: "user", content: "read it" }, ...first.output.map(asInput), ...answersTo(first, true)],
      tools,
      store: false,
    })
    expect(second.output_text).toBe("Read.")
    await expect(client.responses.create({ input: "x", store: false, background: true })).rejects.toMatchObject({
      status: 400,
    })
  })

  it("goes on from whole items: a finished conversation, with calls and denials as context that runs nothing", async () => {
    const world = await openResponses(talk)
    const made = await world.client.responses.create({
      input: [
        { role: "developer", content: "Be kind." },
        { role: "user", content: "delete it" },
        { type: "mcp_approval_request", id: "mcpr_1", server_label: "files", name: "delete", arguments: "{}" },
        { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: false, reason: "Keep it." },
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "I did not.", annotations: [] }],
        },
        { role: "user", content: "hello" },
      ],
      tools: [filesTool()],
    })
    expect(made.output_text).toBe("Hello there.")
    expect(world.tools.dispatched).toEqual([])
    const said = JSON.stringify(await world.gate.journal(made.id.split("_")[1] ?? "", 0))
    expect(said).toContain("Keep it.")
  })

  it.each([
    { name: "a body that is no request", body: { input: 7 }, says: "Invalid request" },
    {
      name: "an unknown model",
      body: { input: "x", model: "gpt-9" },
      says: "The requested model 'gpt-9' does not exist",
    },
    {
      name: "an unknown previous response",
      body: { input: "x", previous_response_id: "resp_none_1" },
      says: "not found",
    },
    { name: "no input", body: {}, says: "Missing required parameter: 'input'" },
    { name: "a conversation", body: { input: "x", conversation: "conv_1" }, says: "not supported" },
    {
      name: "a server that is not configured",
      body: { input: "x", tools: [{ type: "mcp", server_label: "mail", require_approval: "never" }] },
      says: "Configured servers: files",
    },
    {
      name: "an address that is not of a configured server",
      body: { input: "x", tools: [filesTool({ server_url: "https://evil.example/mcp" })] },
      says: "not an MCP server that Byleave is configured with",
    },
    {
      name: "an image by address",
      body: { input: [{ role: "user", content: [{ type: "input_image", image_url: "http://127.0.0.1/a.png" }] }] },
      says: "data: URL",
    },
    {
      name: "an output nobody asked for",
      body: { input: [{ type: "function_call_output", call_id: "call_1", output: "x" }] },
      says: "No tool call found for function call output with call_id call_1.",
    },
  ])("refuses $name", async ({ body, says }) => {
    const { client } = await openResponses(talk)
    const refused = await client.responses
      .create(body as OpenAI.Responses.ResponseCreateParamsNonStreaming)
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ status: 400, type: "invalid_request_error" })
    expect(String(refused)).toContain(says)
  })

  it("knows a server by its address, too, under the label of the request", async () => {
    const { client } = await openResponses([{ calls: [{ tool: "files(read)", args: {} }] }, { say: "Read." }])
    const made = await client.responses.create({
      input: "read",
      tools: [
        filesTool({ server_label: "my-files", server_url: "https://files.example/mcp/", authorization: "hunter2" }),
      ],
    })
    expect(made.output).toMatchObject([
      { type: "mcp_list_tools", server_label: "my-files" },
      { type: "mcp_call", server_label: "my-files", name: "read" },
      { type: "message" },
    ])
    expect(JSON.stringify(made)).not.toContain("hunter2")
  })

  it("says plainly that compaction is not supported", async () => {
    const { client } = await openResponses(talk)
    await expect(client.responses.compact({ model: "scripted", input: "x" })).rejects.toMatchObject({
      status: 400,
      code: "not_supported",
    })
  })

  it("fails with the model's failure, streamed or not, and a follow-up goes on", async () => {
    const steps = [
      { when: "ill", fail: { status: 500, message: "the model is ill" } },
      { when: "again", say: "Well again." },
    ]
    const world = await openResponses(steps)
    const events: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of await world.client.responses.create({ input: "are you ill?", stream: true }))
      events.push(event)
    const last = events.at(-1)
    expect(last).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { message: expect.stringContaining("the model is ill") } },
    })
    const other = await openResponses(steps)
    const failed = await other.client.responses.create({ input: "are you ill?" })
    expect(failed).toMatchObject({ status: "failed", error: { code: "server_error" } })
    const after = await other.client.responses.create({ previous_response_id: failed.id, input: "again" })
    expect(after).toMatchObject({ status: "completed", output_text: "Well again." })
    expect(await other.client.responses.retrieve(failed.id)).toMatchObject({ status: "failed" })
  })

  it("shows what policy denies as a failed call with the reason, and parallel calls each", async () => {
    const calls = ["read", "delete", "read"].map((tool, at) => ({ tool: `files(${tool})`, args: { at } }))
    const world = await openResponses([{ calls }, { say: "Done." }])
    const made = await world.client.responses.create({ input: "x", tools: [filesTool()] })
    const shown = made.output.flatMap((item) => (item.type === "mcp_call" ? [[item.name, item.status]] : []))
    expect(shown.toSorted()).toEqual([
      ["delete", "failed"],
      ["read", "completed"],
      ["read", "completed"],
    ])
    expect(JSON.stringify(made.output)).toContain("Nothing is deleted here.")
    const stored = await world.client.responses.retrieve(made.id)
    expect(new Set(stored.output.map((item) => JSON.stringify(item)))).toEqual(
      new Set(made.output.map((item) => JSON.stringify(item))),
    )
  })
})

describe("functions of the caller", () => {
  const weather = {
    type: "function",
    name: "weather",
    description: "Tells the weather.",
    parameters: {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    },
    strict: true,
  } as const
  const steps = [{ calls: [{ tool: "weather", args: { city: "Ulm" } }] }, { when: "rain", say: "Take an umbrella." }]

  it("end the response with their call; the follow-up brings the output", async () => {
    const world = await openResponses(steps)
    const first = await world.client.responses.create({ input: "umbrella?", tools: [weather] })
    const [call] = first.output
    expect(call).toMatchObject({ type: "function_call", name: "weather", arguments: '{"city":"Ulm"}' })
    if (call?.type !== "function_call") throw new Error("no function call")
    await expect(world.client.responses.create({ previous_response_id: first.id, input: "well?" })).rejects.toThrow(
      `No tool output found for function call ${call.call_id}.`,
    )
    const second = await world.client.responses.create({
      previous_response_id: first.id,
      input: [{ type: "function_call_output", call_id: call.call_id, output: "rain" }],
      tools: [weather],
    })
    expect(second.output_text).toBe("Take an umbrella.")
    const { data } = await world.client.responses.inputItems.list(second.id)
    expect(data).toMatchObject([{ type: "function_call_output", call_id: call.call_id, output: "rain" }])
  })

  it("come back as whole items, too", async () => {
    const world = await openResponses(steps)
    const first = await world.client.responses.create({ input: "umbrella?", tools: [weather] })
    const [call] = first.output
    if (call?.type !== "function_call") throw new Error("no function call")
    const second = await world.client.responses.create({
      input: [
        { role: "user", content: "umbrella?" },
        call,
        { type: "function_call_output", call_id: call.call_id, output: "rain" },
      ],
      tools: [weather],
    })
    expect(second.output_text).toBe("Take an umbrella.")
  })

  it("are streamed as their arguments", async () => {
    const world = await openResponses(steps)
    const stream = world.client.responses.stream({ input: "umbrella?", tools: [weather] })
    const types: string[] = []
    for await (const { type } of stream) types.push(type)
    expect(types).toContain("response.function_call_arguments.done")
    expect((await stream.finalResponse()).output).toMatchObject([
      { type: "function_call", arguments: '{"city":"Ulm"}' },
    ])
  })

  it("stand beside calls that wait for a reviewer: both come back together, and nothing is lost by a restart", async () => {
    const both = [
      {
        calls: [
          { tool: "weather", args: { city: "Ulm" } },
          { tool: "files(write)", args: { path: "a" } },
        ],
      },
      { when: "rain", say: "Written, and take an umbrella." },
    ]
    const world = await openResponses(both)
    const tools = [weather, filesTool()]
    const first = await world.client.responses.create({ input: "go", tools })
    const call = first.output.find((item) => item.type === "function_call")
    expect(requestsIn(first)).toHaveLength(1)
    await expect(
      world.client.responses.create({ previous_response_id: first.id, input: answersTo(first, true) }),
    ).rejects.toThrow("No tool output found")
    const second = await world.client.responses.create({
      previous_response_id: first.id,
      input: [
        { type: "function_call_output", call_id: call?.call_id ?? "", output: "rain" },
        ...answersTo(first, true),
      ],
      background: true,
      tools,
    })
    expect(second.status).toBe("in_progress")
    await world.runs.close()
    const other = await openResponses(both, { store: world.store, clock: world.clock })
    const [waiting] = await waitingCalls(other, first.id)
    const held = await other.gate.approval(waiting ?? "")
    await other.gate.answer({
      approval: waiting ?? "",
      kind: "approve",
      digest: held?.runDigest ?? "",
      reviewer: { id: "ana", groups: [] },
    })
    await expect.poll(async () => (await other.client.responses.retrieve(second.id)).status).not.toBe("in_progress")
    const done = await other.client.responses.retrieve(second.id)
    expect(done).toMatchObject({ status: "completed", output_text: "Written, and take an umbrella." })
    expect(other.tools.dispatched).toHaveLength(1)
  })

  it("keep a run waiting for their outputs even when a reviewer decides first", async () => {
    const both = [
      {
        calls: [
          { tool: "weather", args: { city: "Ulm" } },
          { tool: "files(write)", args: { path: "a" } },
        ],
      },
      { when: "rain", say: "Written." },
    ]
    const world = await openResponses(both)
    const tools = [weather, filesTool()]
    const first = await world.client.responses.create({ input: "go", tools })
    const [waiting] = await waitingCalls(world, first.id)
    const held = await world.gate.approval(waiting ?? "")
    await world.gate.answer({
      approval: waiting ?? "",
      kind: "approve",
      digest: held?.runDigest ?? "",
      reviewer: { id: "ana", groups: [] },
    })
    expect(await world.runs.takeUp()).toBe(0)
    expect(world.tools.dispatched).toEqual([])
    const call = first.output.find((item) => item.type === "function_call")
    const second = await world.client.responses.create({
      previous_response_id: first.id,
      input: [
        { type: "function_call_output", call_id: call?.call_id ?? "", output: "rain" },
        ...answersTo(first, true),
      ],
      tools,
    })
    expect(second.output_text).toBe("Written.")
    expect(world.tools.dispatched).toHaveLength(1)
  })
})

/** Tools that answer only when they are let. */
function slowTools(until: Promise<void>) {
  return countingTools(undefined, async () => {
    await until
    return { kind: "succeeded", result: { content: [{ type: "text", text: "slowly" }] } }
  })
}

type Item = OpenAI.Responses.ResponseOutputItem

/** What a client sends back of an output. */
function asInput(item: Item): OpenAI.Responses.ResponseInputItem {
  return item as OpenAI.Responses.ResponseInputItem
}

/** The helper adds what it has parsed. */
function withoutParsed(item: { content?: Array<{ parsed?: unknown }>; parsed_arguments?: unknown }): object {
  for (const part of item.content ?? []) delete part.parsed
  return item
}
