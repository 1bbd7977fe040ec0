/** OpenAI's Responses API as `byleave serve` has it, with the clients that programs use. */
import { setTimeout as pause } from "node:timers/promises"
import { createOpenAI } from "@ai-sdk/openai"
import { Agent, hostedMcpTool, OpenAIResponsesModel, Runner } from "@openai/agents"
import { generateText, isStepCount, streamText } from "ai"
import OpenAI from "openai"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makePlace } from "../../../apps/cli/src/service/fixtures/service-process.ts"
import { must } from "../open-service.ts"
import { type ServedRuns, serveRuns } from "./serve-runs.ts"

const tools = [{ type: "mcp", server_label: "files", require_approval: "never" }] satisfies OpenAI.Responses.Tool[]

let served: ServedRuns
let shopToken: string
let deskToken: string
let shop: OpenAI
let desk: OpenAI

const clientOf = (apiKey: string): OpenAI => new OpenAI({ apiKey, baseURL: `${served.url}/v1`, maxRetries: 0 })

beforeAll(async () => {
  served = await serveRuns()
  shopToken = await served.token("shop")
  deskToken = await served.token("desk", "--conveys-decisions")
  shop = clientOf(shopToken)
  desk = clientOf(deskToken)
}, 60_000)

afterAll(() => served?.close())

async function failureOf(work: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  try {
    await work
  } catch (error) {
    if (error instanceof OpenAI.APIError) return error
    throw error
  }
  throw new Error("It did not fail.")
}

function yesTo(response: OpenAI.Responses.Response): OpenAI.Responses.ResponseInputItem[] {
  const asked = response.output.filter((item) => item.type === "mcp_approval_request")
  expect(asked).toHaveLength(1)
  return asked.map(({ id }) => ({ type: "mcp_approval_response", approval_request_id: id, approve: true }))
}

const save = (client: OpenAI) => client.responses.create({ model: "scripted", input: "save it", tools })

describe("openai", { timeout: 60_000 }, () => {
  it("creates, streams, retrieves, lists the input, deletes; and lists the models", async () => {
    const made = await shop.responses.create({ input: "hi" })
    expect(made).toMatchObject({ status: "completed", output_text: "Hello to you.", model: "scripted" })
    expect(await shop.responses.retrieve(made.id)).toMatchObject({ id: made.id, output: made.output })
    expect((await shop.responses.inputItems.list(made.id)).data).toHaveLength(1)
    await shop.responses.delete(made.id)
    expect(await failureOf(shop.responses.retrieve(made.id))).toMatchObject({ status: 404 })
    const streamed = await shop.responses.stream({ model: "scripted", input: "hi" }).finalResponse()
    expect(streamed.output_text).toBe("Hello to you.")
    const models = await shop.models.list()
    expect(models.data.map(({ id, object }) => [id, object])).toEqual(
      ["scripted", "slow", "keyless"].map((id) => [id, "model"]),
    )
    expect(await shop.models.retrieve("slow")).toMatchObject({ id: "slow", object: "model" })
  })

  it("R91, R92: a program's own yes is nobody's; the follow-up goes on when a reviewer has approved", async () => {
    const first = await save(shop)
    const events: string[] = []
    const stream = shop.responses.stream({ model: "scripted", previous_response_id: first.id, input: yesTo(first) })
    stream.on("event", ({ type }) => events.push(type))
    await expect.poll(() => events).toContain("response.in_progress")
    await pause(300)
    expect(events).not.toContain("response.mcp_call.completed")
    expect(served.notes()).toBe("")
    await served.approve()
    const done = await stream.finalResponse()
    expect(done.output.map(({ type }) => type)).toEqual(["mcp_call", "message"])
    expect(done.output_text).toBe("It is saved.")
    expect(served.notes()).toBe("saved")
  })

  it("a yes of a token that conveys decisions counts, and the record says who conveyed it", async () => {
    const first = await save(desk)
    const id = await served.waiting()
    const done = await desk.responses.create({ previous_response_id: first.id, input: yesTo(first) })
    expect(done.output_text).toBe("It is saved.")
    expect(served.notes()).toBe("saved")
    const { items } = must(await served.reviewer.listAudit({ query: { types: "approval.approved" } }))
    const record = items.find((item) => JSON.stringify(item).includes(id))
    expect(JSON.stringify(record?.body)).toContain("conveyed by desk")
  })

  it("R70: the service is killed between the request and the answer, and again between the answer and the yes", async () => {
    const first = await save(shop)
    await served.restart()
    expect(await shop.responses.retrieve(first.id)).toMatchObject({ status: "completed", output: first.output })
    const follow = { model: "scripted", previous_response_id: first.id, input: yesTo(first) }
    const begun = await shop.responses.create({ ...follow, background: true })
    await served.restart()
    await served.approve()
    await expect
      .poll(async () => (await shop.responses.retrieve(begun.id)).output_text, { timeout: 20_000 })
      .toBe("It is saved.")
    // The same follow-up once more is led to the response that it has.
    expect(await shop.responses.create(follow)).toMatchObject({ id: begun.id, output_text: "It is saved." })
    expect(served.notes()).toBe("saved")
  })

  it("streams what a model says when it says it, and a connection that ends does not end the run", async () => {
    const response = await fetch(`${served.url}/v1/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${shopToken}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "slow", input: "count", stream: true }),
    })
    expect(response.headers.get("x-accel-buffering")).toBe("no")
    expect(response.headers.get("content-type")).toContain("text/event-stream")
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let heard = ""
    while (!heard.includes("One ")) heard += (await reader?.read())?.value ?? ""
    const id = /resp_[\w-]+/.exec(heard)?.[0] ?? ""
    await reader?.cancel()
    await pause(200)
    expect(await shop.responses.retrieve(id)).toMatchObject({ status: "in_progress" })
    served.letSlowEnd()
    await expect.poll(async () => (await shop.responses.retrieve(id)).output_text).toBe("One two.")
  })

  it("another program's responses are not there", async () => {
    const first = await save(shop)
    const other = clientOf(await served.token("other", "--conveys-decisions"))
    expect(await failureOf(other.responses.retrieve(first.id))).toMatchObject({ status: 404 })
    expect(await failureOf(other.responses.delete(first.id))).toMatchObject({ status: 404 })
    expect(await failureOf(other.responses.cancel(first.id))).toMatchObject({ status: 404 })
    const follow = { model: "scripted", previous_response_id: first.id, input: yesTo(first) }
    expect(await failureOf(other.responses.create(follow))).toMatchObject({ code: "previous_response_not_found" })
    expect(await shop.responses.cancel(first.id)).toMatchObject({ id: first.id })
    expect(served.notes()).toBe("")
  })
})

describe("other clients", { timeout: 60_000 }, () => {
  it("@ai-sdk/openai generates and streams text", async () => {
    const model = createOpenAI({ apiKey: shopToken, baseURL: `${served.url}/v1` }).responses("scripted")
    expect((await generateText({ model, prompt: "hi" })).text).toBe("Hello to you.")
    expect(await streamText({ model, prompt: "hi" }).text).toBe("Hello to you.")
  })

  it("@ai-sdk/openai and @openai/agents convey a yes by a token for it", async () => {
    const files = hostedMcpTool({
      serverLabel: "files",
      requireApproval: "always",
      onApproval: async () => ({ approve: true }),
    })
    const model = new OpenAIResponsesModel(desk, "scripted")
    const agent = new Agent({ name: "saver", instructions: "Save.", model, tools: [files] })
    const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, "save it")
    expect(finalOutput).toBe("It is saved.")
    expect(served.notes()).toBe("saved")
    const openai = createOpenAI({ apiKey: deskToken, baseURL: `${served.url}/v1` })
    const mcp = openai.tools.mcp({ serverLabel: "files", serverUrl: `${served.url}/mcp/files` })
    const asking = { model: openai.responses("scripted"), tools: { files: mcp }, stopWhen: isStepCount(3) }
    const asked = [{ role: "user" as const, content: "save it" }]
    const first = await generateText({ ...asking, messages: asked })
    const answers = first.content.flatMap((part) =>
      part.type === "tool-approval-request"
        ? [
            {
              type: "tool-approval-response" as const,
              approvalId: part.approvalId,
              approved: true,
              providerExecuted: true,
            },
          ]
        : [],
    )
    expect(answers).toHaveLength(1)
    const messages = [...asked, ...first.responseMessages, { role: "tool" as const, content: answers }]
    expect((await generateText({ ...asking, messages })).text).toBe("It is saved.")
    expect(served.notes()).toBe("saved")
  })
})

describe("refusals that clients of OpenAI's read", { timeout: 60_000 }, () => {
  const post = (headers: Record<string, string>, body = '{"input":"hi"}') =>
    fetch(`${served.url}/v1/responses`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    })
  const bearer = () => ({ authorization: `Bearer ${shopToken}` })

  it.each([
    { name: "a token nobody has", key: `byl_runner_${"x".repeat(43)}` },
    { name: "a key of OpenAI's", key: "sk-123" },
  ])("$name", async ({ key }) => {
    const error = await failureOf(clientOf(key).responses.create({ input: "hi" }))
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(error).toMatchObject({ status: 401, code: "invalid_api_key", type: "invalid_request_error" })
    expect(error.message).toContain("byleave tokens add NAME --runner")
    expect(await failureOf(clientOf(key).models.list().then())).toMatchObject({ status: 401 })
  })

  it("no token, a reviewer's own tools and an agent's token", async () => {
    expect((await post({})).status).toBe(401)
    const { secret } = must(await served.reviewer.addToken({ body: { id: "bot", kind: "agent" } }))
    expect((await post({ authorization: `Bearer ${secret}` })).status).toBe(401)
    expect((await post({ dpop: "proof" })).status).toBe(401)
  })

  it("a page of another origin, and another host's name", async () => {
    const page = await post({ ...bearer(), origin: "https://evil.example" })
    expect(page.status).toBe(403)
    expect(page.headers.get("access-control-allow-origin")).toBeNull()
    expect(await page.json()).toMatchObject({ error: { code: "foreign_origin", message: expect.any(String) } })
    const { port } = new URL(served.url)
    const { status } = await requestWithHost(port, `evil.example:${port}`, shopToken)
    expect(status).toBe(403)
  })

  it("a body that is too large, is no JSON, or has a member twice", async () => {
    const large = await post(bearer(), JSON.stringify({ input: "x".repeat(9 * 1024 * 1024) }))
    expect(large.status).toBe(413)
    expect(await large.json()).toMatchObject({ error: { code: "too_large", type: "invalid_request_error" } })
    expect(await (await post(bearer(), '{"input":')).json()).toMatchObject({ error: { code: "bad_json" } })
    expect((await post(bearer(), '{"input":"a","input":"b"}')).status).toBe(400)
    expect((await post({ ...bearer(), "content-type": "text/plain" })).status).toBe(415)
    const whole = await shop.responses.create({ input: `hi ${"x".repeat(3 * 1024 * 1024)}` })
    expect(whole.output_text).toBe("Hello to you.")
  })

  it("a model that cannot be used, a server that is not configured, what is not supported, and other addresses", async () => {
    const keyless = await failureOf(shop.responses.create({ model: "keyless", input: "hi" }))
    expect(keyless).toMatchObject({ status: 400, code: "model_not_found" })
    expect(keyless.message).toContain("environment variable")
    const elsewhere = [{ type: "mcp" as const, server_label: "x", server_url: "https://elsewhere.example/mcp" }]
    expect(await failureOf(shop.responses.create({ input: "hi", tools: elsewhere }))).toMatchObject({
      code: "mcp_server_not_configured",
    })
    expect(await failureOf(shop.responses.compact({ model: "scripted" }))).toMatchObject({ code: "not_supported" })
    expect(await failureOf(shop.models.retrieve("other"))).toMatchObject({ status: 404 })
    const chat = shop.chat.completions.create({ model: "scripted", messages: [{ role: "user", content: "hi" }] })
    const error = await failureOf(chat)
    expect(error.status).toBe(404)
    expect(error.message).toContain("/v1/responses")
  })

  it("a service without models says what to do", async () => {
    const place = makePlace("version: 1\nreviewers: { presence: none }\n")
    try {
      await place.command("init", "--presence", "none", "--data", place.data)
      const { url } = await place.serve()
      const { stdout } = await place.command("tokens", "add", "ci", "--runner", "--json", "--data", place.data)
      const client = new OpenAI({ apiKey: JSON.parse(stdout).secret, baseURL: `${url}/v1`, maxRetries: 0 })
      const error = await failureOf(client.responses.create({ model: "gpt", input: "hi" }))
      expect(error).toMatchObject({ status: 400, code: "model_not_found" })
      expect(error.message).toContain("Add one under models: in byleave.yaml")
      expect((await client.models.list()).data).toEqual([])
    } finally {
      await place.dispose()
    }
  })
})

/** `fetch` does not let a program choose the Host. */
async function requestWithHost(port: string, host: string, token: string): Promise<{ readonly status: number }> {
  const { request } = await import("node:http")
  return new Promise((resolve, reject) => {
    const headers = { host, authorization: `Bearer ${token}` }
    const asked = request({ host: "127.0.0.1", port, path: "/v1/models", headers }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0 })
    })
    asked.on("error", reject).end()
  })
}
