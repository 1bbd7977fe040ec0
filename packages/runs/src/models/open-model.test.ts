import { createRedactor, type HttpModelConfig, type ModelConfig } from "@byleave/core"
import { isStepCount, jsonSchema, streamText, tool } from "ai"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { collect } from "./fixtures/collect.ts"
import { type MockProvider, startMockProvider } from "./fixtures/mock-provider.ts"
import { modelFailure } from "./model-failure.ts"
import { openModel } from "./open-model.ts"

const key = "sk-mock-7d1f0a9c"
const redactor = createRedactor({ values: [key] })

let mock: MockProvider
beforeAll(async () => {
  mock = await startMockProvider()
})
afterAll(() => mock.close())
afterEach(() => {
  mock.forget()
  vi.unstubAllEnvs()
})

const prefix = { openai: "/v1", anthropic: "/v1", google: "/v1beta", "openai-compatible": "/v1" } as const
const providers = ["openai", "anthropic", "google", "openai-compatible"] as const

function configOf(provider: HttpModelConfig["provider"], more: Partial<HttpModelConfig> = {}): ModelConfig {
  return { name: "main", provider, url: mock.url + prefix[provider], model: "mock-1", key, headers: {}, ...more }
}

async function ask(config: ModelConfig, options: { timeoutMs?: number } = {}) {
  const list = tool({
    inputSchema: jsonSchema<{ path: string }>({ type: "object", properties: { path: { type: "string" } } }),
    execute: ({ path }) => `${path}/notes.md`,
  })
  const errors: unknown[] = []
  const result = streamText({
    model: await openModel(config),
    prompt: "tidy my notes",
    tools: { files__list: list },
    stopWhen: isStepCount(3),
    maxRetries: 0,
    onError: ({ error }) => void errors.push(error),
    ...(options.timeoutMs === undefined ? {} : { abortSignal: AbortSignal.timeout(options.timeoutMs) }),
  })
  const parts = await collect(result.fullStream)
  const said = parts.flatMap((part) => (part.type === "text-delta" ? [part.text] : []))
  const calls = parts.flatMap((part) => (part.type === "tool-call" ? [{ name: part.toolName, input: part.input }] : []))
  const failed = parts.flatMap((part) => (part.type === "error" ? [part.error] : []))
  const aborted = parts.some(({ type }) => type === "abort")
  return { said, calls, parts, aborted, failure: failed[0] === undefined ? null : modelFailure(failed[0], redactor) }
}

describe.each(providers)("%s", (provider) => {
  it("R178: streams text and calls of tools, over HTTP", async () => {
    const before = mock.requests.length
    mock.next(
      { kind: "answer", say: "Let me look. ", call: { name: "files__list", args: { path: "notes" } } },
      { kind: "answer", say: "There is notes.md." },
    )
    const { said, calls, failure } = await ask(configOf(provider, { headers: { "X-Team": "notes" } }))
    expect(failure).toBeNull()
    expect(said.join("")).toBe("Let me look. There is notes.md.")
    expect(said.length).toBeGreaterThan(4)
    expect(calls).toEqual([{ name: "files__list", input: { path: "notes" } }])
    const sent = mock.requests.slice(before)
    expect(sent).toHaveLength(2)
    expect(sent[0]?.headers).toMatchObject({ "x-team": "notes" })
    expect(JSON.stringify(sent[0]?.headers)).toContain(key)
    expect(JSON.stringify(sent[1]?.body)).toContain("notes/notes.md")
  })

  it.each(["closed", "reset"] as const)("an answer that is %s before its end is an error to try again", async (end) => {
    mock.next({ kind: "answer", say: "Half an", end })
    const { failure, parts } = await ask(configOf(provider))
    expect(failure).toMatchObject({ retryable: true, detail: expect.stringContaining("cut off") })
    expect(parts.filter(({ type }) => type === "error")).toHaveLength(1)
  })

  it("an error within a stream is one to try again, in the provider's words", async () => {
    mock.next({ kind: "stream-error", say: "Half an", message: "melting down" })
    const { failure } = await ask(configOf(provider))
    expect(failure).toMatchObject({ retryable: true, detail: expect.stringContaining("melting down") })
  })

  it.each([
    { status: 400, retryable: false, says: "refused the request (400)" },
    { status: 401, retryable: true, says: "did not accept the key (401)" },
    { status: 403, retryable: true, says: "does not let this key use the model (403)" },
    { status: 404, retryable: true, says: "does not know this model or address (404)" },
    { status: 429, retryable: true, says: "Try again later." },
    { status: 500, retryable: true, says: "overloaded or failing (500)" },
    { status: 529, retryable: true, says: "overloaded or failing (529)" },
  ])("status $status: $says", async ({ status, retryable, says }) => {
    mock.next({ kind: "error", status })
    const { failure } = await ask(configOf(provider))
    expect(failure).toMatchObject({ retryable, detail: expect.stringContaining(says) })
    expect(failure?.detail).toContain('It said: "mock says no"')
  })

  it("a key that the provider repeats is in no words", async () => {
    mock.next({ kind: "error", status: 401, echo: true }, { kind: "error", status: 400, body: `{"odd":"${key}"}` })
    for (const retryable of [true, false]) {
      const { failure } = await ask(configOf(provider))
      expect(failure?.retryable).toBe(retryable)
      expect(failure?.detail).toContain("It said:")
      expect(failure?.detail).not.toContain(key)
    }
  })

  it("goes where the configuration says, with its key alone, whatever the environment says", async () => {
    for (const name of ["OPENAI", "ANTHROPIC", "GOOGLE_GENERATIVE_AI"]) {
      vi.stubEnv(`${name}_BASE_URL`, "http://127.0.0.1:1/elsewhere")
      vi.stubEnv(`${name}_API_KEY`, "sk-of-the-environment")
    }
    mock.next({ kind: "answer", say: "Here." })
    const { said } = await ask(configOf(provider, { key: null }))
    expect(said.join("")).toBe("Here.")
    expect(JSON.stringify(mock.requests.at(-1)?.headers)).not.toContain("sk-of-the-environment")
    let asked = ""
    const fetch: typeof globalThis.fetch = async (input) => {
      asked = String(input)
      return new Response("{}", { status: 400 })
    }
    if (provider === "openai-compatible") return
    const model = await openModel(configOf(provider, { url: null }), { fetch })
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }]
    await expect(model.doStream({ prompt })).rejects.toThrow()
    expect(new URL(asked).protocol).toBe("https:")
  })
})

it("says how long a provider asks to wait", async () => {
  mock.next({ kind: "error", status: 429, headers: { "retry-after": "12" } })
  const { failure } = await ask(configOf("openai"))
  expect(failure).toMatchObject({ retryable: true, retryAfterMs: 12_000 })
  expect(failure?.detail).toContain("in 12 seconds")
})

it("a server that is not there is one to try again", async () => {
  const { failure } = await ask(configOf("openai-compatible", { url: "http://127.0.0.1:1/v1" }))
  expect(failure).toMatchObject({
    retryable: true,
    detail: expect.stringContaining("cannot be reached at 127.0.0.1:1"),
  })
})

it("silence ends with the caller's patience, and may be tried again", async () => {
  mock.next({ kind: "silence" })
  const { aborted } = await ask(configOf("openai"), { timeoutMs: 100 })
  expect(aborted).toBe(true)
  expect(modelFailure(new DOMException("timed out", "TimeoutError"), redactor)).toMatchObject({ retryable: true })
})
