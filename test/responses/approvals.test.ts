import { readJournal } from "@byleave/runs"
import OpenAI from "openai"
import { describe, expect, it } from "vitest"
import { answer, countingTools } from "../runs/open-runs.ts"
import { answersTo, decideAll, filesTool, openResponses, requestsIn, waitingCalls } from "./open-responses.ts"

const oneWrite = [
  { say: "I will write it.", calls: [{ tool: "files(write)", args: { path: "a", text: "b" } }] },
  { say: "It is written." },
]

describe("a call that needs a person, through the openai client (R91, R92, R198)", () => {
  it("R180-R182: ends the response with a request, and goes on in the next one once a reviewer has said yes", async () => {
    const world = await openResponses(oneWrite)
    const first = await world.client.responses.create({ model: "scripted", input: "write it", tools: [filesTool()] })
    expect(first).toMatchObject({ status: "completed", object: "response", model: "scripted" })
    expect(first.output.map(({ type }) => type)).toEqual(["mcp_list_tools", "message", "mcp_approval_request"])
    const [request] = requestsIn(first)
    expect(request).toMatchObject({ name: "write", server_label: "files", arguments: '{"path":"a","text":"b"}' })
    expect(world.tools.dispatched).toEqual([])

    const stream = await world.client.responses.create({
      model: "scripted",
      previous_response_id: first.id,
      input: [{ type: "mcp_approval_response", approval_request_id: request?.id ?? "", approve: true }],
      tools: [filesTool()],
      stream: true,
    })
    const seen: string[] = []
    for await (const event of stream) {
      seen.push(event.type)
      if (event.type === "response.in_progress") {
        expect(world.tools.dispatched).toEqual([])
        const [waiting] = await waitingCalls(world, first.id)
        await answer(world, waiting ?? null, "approve")
      }
      if (event.type === "response.completed") {
        expect(event.response.previous_response_id).toBe(first.id)
        expect(event.response.output).toMatchObject([
          { type: "mcp_call", status: "completed", output: "write is done", approval_request_id: request?.id },
          { type: "message", content: [{ text: "It is written." }] },
        ])
        expect(event.response.usage?.total_tokens).toBeGreaterThan(0)
      }
    }
    expect(seen.filter((type) => type !== "response.output_text.delta")).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.mcp_call.in_progress",
      "response.mcp_call_arguments.delta",
      "response.mcp_call_arguments.done",
      "response.mcp_call.completed",
      "response.output_item.done",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ])
    expect(world.tools.dispatched).toEqual([{ tool: "write", args: { path: "a", text: "b" } }])
    expect(world.troubles).toEqual([])
  })
})

const twoWrites = [
  {
    say: "Two of them.",
    calls: [
      { tool: "files(read)", args: { path: "r" } },
      { tool: "files(write)", args: { path: "a" } },
      { tool: "files(write)", args: { path: "a" } },
    ],
  },
  { say: "Both were decided." },
]

describe("answers to approval requests", () => {
  it("deny with a reason: the model reads it, nothing runs, and no call is listed (R103)", async () => {
    const world = await openResponses(oneWrite)
    const { client } = world
    const first = await client.responses.create({ input: "write it", tools: [filesTool()] })
    const second = await client.responses.create({
      previous_response_id: first.id,
      input: answersTo(first, false, "Not on a Friday."),
    })
    expect(second.output.map(({ type }) => type)).toEqual(["message"])
    expect(world.tools.dispatched).toEqual([])
    const { messages } = await readJournal(world.gate, first.id.split("_")[1] ?? "")
    expect(JSON.stringify(messages)).toContain("Not on a Friday.")

    const anew = await client.responses.create({ input: "write it", tools: [filesTool()] })
    expect(anew.previous_response_id).toBeNull()
    expect(anew.output.map(({ type }) => type)).toEqual(["mcp_list_tools", "message", "mcp_approval_request"])
  })

  it("several at once, identical ones told apart: each is decided for itself, what is allowed ran before", async () => {
    const world = await openResponses(twoWrites)
    const desk = world.clientOf("desk")
    const first = await desk.responses.create({ input: "go", tools: [filesTool()] })
    expect(first.output.map(({ type }) => type)).toEqual([
      "mcp_list_tools",
      "message",
      "mcp_call",
      "mcp_approval_request",
      "mcp_approval_request",
    ])
    const [one, two] = requestsIn(first)
    expect(one?.id).not.toBe(two?.id)
    const second = await desk.responses.create({
      previous_response_id: first.id,
      input: [
        { type: "mcp_approval_response", approval_request_id: one?.id ?? "", approve: false },
        { type: "mcp_approval_response", approval_request_id: two?.id ?? "", approve: true },
      ],
    })
    expect(second.output).toMatchObject([
      { type: "mcp_call", status: "completed", approval_request_id: two?.id },
      { type: "message" },
    ])
    expect(world.tools.dispatched.map(({ tool }) => tool)).toEqual(["read", "write"])
  })

  it("in part, or none: 400 with the words that programs parse, and nothing is decided", async () => {
    const world = await openResponses(twoWrites)
    const desk = world.clientOf("desk")
    const first = await desk.responses.create({ input: "go", tools: [filesTool()] })
    const [one, two] = requestsIn(first)
    const missing = (...ids: Array<string | undefined>) =>
      `400 The following MCP approval requests do not have an approval: ${ids.join(", ")}`
    await expect(
      desk.responses.create({ previous_response_id: first.id, input: answersTo(first, true).slice(0, 1) }),
    ).rejects.toThrow(missing(two?.id))
    await expect(desk.responses.create({ previous_response_id: first.id, input: "And now?" })).rejects.toThrow(
      missing(one?.id, two?.id),
    )
    expect(await waitingCalls(world, first.id)).toHaveLength(2)
    expect(world.tools.dispatched).toHaveLength(1)
  })

  it("to what nobody asked: 400 with the words that programs parse", async () => {
    const world = await openResponses(oneWrite)
    const { client } = world
    const first = await client.responses.create({ input: "write it", tools: [filesTool()] })
    const forged = { type: "mcp_approval_response", approval_request_id: "mcpr_forged", approve: true } as const
    const stray = "have approval responses but weren't passed as input: mcpr_forged"
    await expect(
      client.responses.create({ previous_response_id: first.id, input: [...answersTo(first, true), forged] }),
    ).rejects.toThrow(stray)
    await expect(client.responses.create({ input: [forged] })).rejects.toThrow(stray)
    expect(await waitingCalls(world, first.id)).toHaveLength(1)
  })

  it.each([
    { name: "yes", also: true },
    { name: "no", also: false },
  ])("twice in one request, with another $name: 400, and nothing is decided", async ({ also }) => {
    const world = await openResponses(oneWrite)
    const desk = world.clientOf("desk")
    const first = await desk.responses.create({ input: "write it", tools: [filesTool()] })
    const input = [...requestsIn(first), ...answersTo(first, true), ...answersTo(first, also)]
    const words = `${requestsIn(first)[0]?.id} has two approval responses. Answer each request once.`
    await expect(desk.responses.create({ input })).rejects.toThrow(words)
    await expect(desk.responses.create({ input, previous_response_id: first.id })).rejects.toThrow(words)
    expect(await waitingCalls(world, first.id)).toHaveLength(1)
    expect(world.tools.dispatched).toEqual([])
  })

  it("with the whole conversation, after a no to which the model said nothing: those to what was asked last count", async () => {
    const world = await openResponses([
      { calls: [{ tool: "files(write)", args: { path: "a" } }] },
      { calls: [{ tool: "files(move)", args: { path: "b" } }] },
      { say: "It is moved." },
    ])
    const desk = world.clientOf("desk")
    const said = { role: "user", content: "write it" } as const
    const tools = [filesTool()]
    const first = await desk.responses.create({ input: [said], tools })
    const denied = [said, ...requestsIn(first), ...answersTo(first, false)]
    const second = await desk.responses.create({ input: denied, tools })
    expect(requestsIn(second)).toMatchObject([{ name: "move" }])
    const third = await desk.responses.create({
      input: [...denied, ...requestsIn(second), ...answersTo(second, true)],
      tools,
    })
    expect(third.output_text).toBe("It is moved.")
    expect(world.tools.dispatched.map(({ tool }) => tool)).toEqual(["move"])
  })

  it("with another call than the one that was shown: 400, and the store's own call still waits", async () => {
    const world = await openResponses(oneWrite)
    const desk = world.clientOf("desk")
    const first = await desk.responses.create({ input: "write it", tools: [filesTool()] })
    const [request] = requestsIn(first)
    if (request === undefined) throw new Error("nothing is asked")
    for (const change of [
      { arguments: '{"path":"/etc/passwd","text":"b"}' },
      { name: "move" },
      { id: `${request.id}x` },
    ]) {
      const claimed = { ...request, ...change }
      const input = [
        claimed,
        { type: "mcp_approval_response", approval_request_id: claimed.id, approve: true } as const,
      ]
      const previous = { previous_response_id: first.id }
      await expect(desk.responses.create({ input })).rejects.toThrow("weren't passed as input")
      await expect(desk.responses.create({ input, ...previous })).rejects.toThrow("weren't passed as input")
    }
    expect(await waitingCalls(world, first.id)).toHaveLength(1)
    const second = await desk.responses.create({
      input: [
        { role: "user", content: "write it" },
        { ...request, arguments: '{ "text": "b", "path": "a" }' },
        { type: "mcp_approval_response", approval_request_id: request.id, approve: true },
      ],
    })
    expect(second.output).toMatchObject([{ type: "mcp_call", arguments: request.arguments }, { type: "message" }])
    expect(world.tools.dispatched).toEqual([{ tool: "write", args: { path: "a", text: "b" } }])
  })

  it("from somebody else: there is no such response", async () => {
    const world = await openResponses(oneWrite)
    const first = await world.client.responses.create({ input: "write it", tools: [filesTool()] })
    const other = world.clientOf("other")
    const [request] = requestsIn(first)
    if (request === undefined) throw new Error("nothing is asked")
    const given = answersTo(first, false)
    await expect(other.responses.create({ previous_response_id: first.id, input: given })).rejects.toMatchObject({
      status: 400,
      code: "previous_response_not_found",
    })
    await expect(other.responses.create({ input: [request, ...given] })).rejects.toMatchObject({ status: 400 })
    await expect(other.responses.create({ input: [{ type: "item_reference", id: request.id }] })).rejects.toMatchObject(
      { status: 404 },
    )
    await expect(other.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 })
    await expect(other.responses.cancel(first.id)).rejects.toMatchObject({ status: 404 })
    await expect(other.responses.delete(first.id)).rejects.toMatchObject({ status: 404 })
    await expect(other.responses.inputItems.list(first.id)).rejects.toMatchObject({ status: 404 })
    expect(await waitingCalls(world, first.id)).toHaveLength(1)
  })

  it("together with a new message: 400 that says what to do first", async () => {
    const world = await openResponses(oneWrite)
    const first = await world.client.responses.create({ input: "write it", tools: [filesTool()] })
    const input = [...answersTo(first, true), { role: "user" as const, content: "and hurry" }]
    await expect(world.client.responses.create({ previous_response_id: first.id, input })).rejects.toThrow(
      "Answer these MCP approval requests first",
    )
  })

  it("given twice, one after the other or at once: the repeat attaches, and the call runs once", async () => {
    const world = await openResponses(oneWrite)
    const desk = world.clientOf("desk")
    const first = await desk.responses.create({ input: "write it", tools: [filesTool()] })
    const given = { previous_response_id: first.id, input: answersTo(first, true) }
    const both = await Promise.all([desk.responses.create(given), desk.responses.create(given)])
    const again = await desk.responses.create(given)
    const streamed = await desk.responses.stream(given).finalResponse()
    const changedMind = await desk.responses.create({ ...given, input: answersTo(first, false) })
    const all = [...both, again, streamed, changedMind]
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(all.map(({ output_text }) => output_text)).toEqual(all.map(() => "It is written."))
    expect(world.tools.dispatched).toHaveLength(1)
    expect(world.troubles).toEqual([])
  })

  it("after the reviewer decided already: the follow-up finds what became of it", async () => {
    const world = await openResponses(oneWrite)
    const { client } = world
    const first = await client.responses.create({ input: "write it", tools: [filesTool()] })
    const [waiting] = await waitingCalls(world, first.id)
    await answer(world, waiting ?? null, "approve", { args: { path: "elsewhere" } })
    const second = await client.responses.create({ previous_response_id: first.id, input: answersTo(first, true) })
    expect(second.output).toMatchObject([{ type: "mcp_call", arguments: '{"path":"elsewhere"}' }, { type: "message" }])
    expect(world.tools.dispatched).toEqual([{ tool: "write", args: { path: "elsewhere" } }])
  })

  it("after a restart: the request is answered to another process (R198)", async () => {
    const world = await openResponses(oneWrite)
    const first = await world.clientOf("desk").responses.create({ input: "write it", tools: [filesTool()] })
    await world.runs.close()
    const other = await openResponses(oneWrite, { store: world.store, clock: world.clock })
    const second = await other
      .clientOf("desk")
      .responses.create({ previous_response_id: first.id, input: answersTo(first, true) })
    expect(second).toMatchObject({ status: "completed", previous_response_id: first.id })
    expect(second.output_text).toBe("It is written.")
    expect([...world.tools.dispatched, ...other.tools.dispatched]).toHaveLength(1)
    expect(await other.clientOf("desk").responses.retrieve(first.id)).toEqual(
      expect.objectContaining({ output: first.output, usage: first.usage }),
    )
  })
})

describe("an approved call that takes its time", () => {
  it("is streamed as it begins, before it ends (R92)", async () => {
    const until = Promise.withResolvers<void>()
    const tools = countingTools(undefined, async () => {
      await until.promise
      return { kind: "succeeded", result: { content: [{ type: "text", text: "at last" }] } }
    })
    const world = await openResponses(oneWrite, { tools })
    const desk = world.clientOf("desk")
    const first = await desk.responses.create({ input: "write it", tools: [filesTool()] })
    const stream = desk.responses.stream({ previous_response_id: first.id, input: answersTo(first, true) })
    for await (const { type } of stream) if (type === "response.mcp_call.in_progress") until.resolve()
    expect((await stream.finalResponse()).output).toMatchObject([
      { type: "mcp_call", status: "completed", output: "at last" },
      { type: "message" },
    ])
  })

  it("is incomplete where the response is cancelled meanwhile", async () => {
    const tools = countingTools(undefined, () => new Promise(() => {}))
    const world = await openResponses(oneWrite, { tools })
    const desk = world.clientOf("desk")
    const first = await desk.responses.create({ input: "write it", tools: [filesTool()] })
    const stream = desk.responses.stream({ previous_response_id: first.id, input: answersTo(first, true) })
    let last: string | undefined
    for await (const event of stream) {
      last = event.type
      if (event.type === "response.mcp_call.in_progress") await desk.responses.cancel(`${first.id.slice(0, -1)}2`)
      if (event.type === "response.failed") {
        expect(event.response).toMatchObject({
          status: "cancelled",
          output: [{ type: "mcp_call", status: "incomplete" }],
        })
      }
    }
    expect(last).toBe("response.failed")
  })
})

describe("a follow-up that must wait for a reviewer", () => {
  it("is answered with what to repeat when it is not streamed, and the repeat attaches", async () => {
    const world = await openResponses(oneWrite, { responses: { heldMs: 50 } })
    const { client } = world
    const first = await client.responses.create({ input: "write it", tools: [filesTool()] })
    const given = { previous_response_id: first.id, input: answersTo(first, true) }
    const refused = await client.responses.create(given).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(OpenAI.APIError)
    expect(refused).toMatchObject({ status: 408, code: "approval_pending" })
    expect(String(refused)).toContain("Repeat this request")
    await decideAll(world, first.id, "approve")
    expect((await client.responses.create(given)).output_text).toBe("It is written.")
    expect(world.tools.dispatched).toHaveLength(1)
  })

  it("is waited for by the client's own retries", async () => {
    const world = await openResponses(oneWrite, { responses: { heldMs: 50 } })
    const client = new OpenAI({ apiKey: "shop", baseURL: world.url, maxRetries: 5 })
    const first = await client.responses.create({ input: "write it", tools: [filesTool()] })
    const following = client.responses.create({ previous_response_id: first.id, input: answersTo(first, true) })
    setTimeout(() => void decideAll(world, first.id, "approve"), 200)
    expect((await following).output_text).toBe("It is written.")
    expect(world.tools.dispatched).toHaveLength(1)
  })

  it("is kept alive by comments when it is streamed", async () => {
    const world = await openResponses(oneWrite, { responses: { keepAliveMs: 20 } })
    const first = await world.client.responses.create({ input: "write it", tools: [filesTool()] })
    const response = await fetch(`${world.url}/responses`, {
      method: "POST",
      headers: { authorization: "Bearer shop", "content-type": "application/json" },
      body: JSON.stringify({ previous_response_id: first.id, input: answersTo(first, true), stream: true }),
    })
    let text = ""
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes(": still waiting")) await decideAll(world, first.id, "approve")
    }
    expect(text).toContain("event: response.completed\ndata: {")
    expect(text.trimEnd().endsWith("data: [DONE]")).toBe(true)
    const numbers = [...text.matchAll(/"sequence_number":(\d+)\}\n/g)].map(([, number]) => Number(number))
    expect(numbers).toEqual(numbers.map((_, index) => index))
  })

  it("stays in progress in the background, also through a restart, and can be polled", async () => {
    const world = await openResponses(oneWrite)
    const first = await world.client.responses.create({ input: "write it", tools: [filesTool()] })
    const given = { previous_response_id: first.id, input: answersTo(first, true), background: true }
    const second = await world.client.responses.create(given)
    expect(second).toMatchObject({ status: "in_progress", output: [] })
    await world.runs.close()
    const other = await openResponses(oneWrite, { store: world.store, clock: world.clock })
    expect(await other.client.responses.retrieve(second.id)).toMatchObject({ status: "in_progress" })
    await decideAll(other, first.id, "approve")
    await expect.poll(async () => (await other.client.responses.retrieve(second.id)).status).toBe("completed")
    expect((await other.client.responses.retrieve(second.id)).output_text).toBe("It is written.")
  })

  it("ends when it is cancelled, and what waited is withdrawn", async () => {
    const world = await openResponses(oneWrite)
    const first = await world.client.responses.create({ input: "write it", tools: [filesTool()] })
    const given = { previous_response_id: first.id, input: answersTo(first, true), background: true }
    const second = await world.client.responses.create(given)
    const [waiting] = await waitingCalls(world, first.id)
    expect(await world.client.responses.cancel(second.id)).toMatchObject({ status: "cancelled" })
    expect(await world.gate.approval(waiting ?? "")).toMatchObject({ status: "cancelled" })
    expect(await world.client.responses.retrieve(second.id)).toMatchObject({ status: "cancelled" })
    expect(await world.client.responses.retrieve(first.id)).toMatchObject({ status: "completed" })
  })
})
