import { createRedactor, type HttpModelConfig } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { defaultModelLimits } from "../run-limits.ts"
import { boundedFetch } from "./bounded-fetch.ts"
import { type EndlessServer, startEndlessServer, startServer } from "./fixtures/endless-server.ts"
import { modelFailure } from "./model-failure.ts"
import { openModel } from "./open-model.ts"
import { createReadPace } from "./read-pace.ts"

const providers = ["openai", "anthropic", "google", "openai-compatible"] as const
const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "private words" }] }]
const limits = { wireBytes: 200_000, eventBytes: 50_000, errorBytes: 10_000, eventObjects: 100 }

async function failureOf(provider: HttpModelConfig["provider"], url: string) {
  const model = await openModel(
    { name: "m", provider, url, model: "m", key: "sk-1", headers: { "X-Team": "t" } },
    { limits },
  )
  try {
    for await (const part of (await model.doStream({ prompt })).stream) if (part.type === "error") throw part.error
    return null
  } catch (error) {
    return modelFailure(error, createRedactor({ values: ["sk-1"] }))
  }
}

async function withServer<T>(server: EndlessServer, use: (server: EndlessServer) => Promise<T>): Promise<T> {
  try {
    return await use(server)
  } finally {
    await server.close()
  }
}

describe.each(providers)("%s", (provider) => {
  it.each([
    { name: "a line without an end", status: 200, begin: 'data: {"x":"', repeat: "y".repeat(4_000), most: "48 kB" },
    { name: "an event without an end", status: 200, begin: "", repeat: `data: ${"y".repeat(4_000)}\n`, most: "48 kB" },
    { name: "JSON without an end", status: 200, begin: "[", repeat: "[],".repeat(1_000), most: "48 kB" },
    { name: "events without an end", status: 200, begin: "", repeat: `: ${"y".repeat(4_000)}\n\n`, most: "195 kB" },
  ])("I1: $name is no more than is taken, and the connection ends", async ({ status, begin, repeat, most }) => {
    await withServer(await startEndlessServer({ status, begin, repeat }), async (server) => {
      const failure = await failureOf(provider, server.url)
      expect(failure).toMatchObject({ retryable: true, detail: expect.stringContaining(`larger than ${most}`) })
      await server.closed
    })
  })

  it.each([400, 429, 500])("I4: an endless body of status %s is cut, and told by its status", async (status) => {
    await withServer(await startEndlessServer({ status, begin: "no ", repeat: "y".repeat(4_000) }), async (server) => {
      const failure = await failureOf(provider, server.url)
      expect(failure?.detail).toContain(`(${status})`)
      expect(failure?.detail).toContain('"no yyy')
      await server.closed
    })
  })

  it.each([301, 302, 303, 307, 308])("I2: %s is not followed: neither key nor words go elsewhere", async (status) => {
    let reached = 0
    const other = await startServer((_, response) => {
      reached += 1
      response.end("{}")
    })
    const first = await startServer((_, response) => response.writeHead(status, { location: `${other.url}/v1` }).end())
    const failure = await failureOf(provider, first.url)
    await Promise.all([first.close(), other.close()])
    expect(failure?.retryable).toBe(true)
    expect(failure?.detail).toContain(`redirects to ${new URL(other.url).origin}, which is not followed`)
    expect(reached).toBe(0)
  })
})

describe("what is measured", () => {
  const answerOf = async (chunks: readonly string[], more: Partial<typeof defaultModelLimits> = {}, status = 200) => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
        controller.close()
      },
    })
    const ask = async () => new Response(body, { status })
    const fetch = boundedFetch(ask, { ...defaultModelLimits, ...more }, createReadPace())
    return (await fetch("http://m.example")).text()
  }

  it.each([
    { name: "in one piece", chunks: ["data: 12345\n\ndata: 12345\n\ndata: 12345\n\n"] },
    { name: "cut anywhere", chunks: [..."data: 12345\n\ndata: 12345\n\ndata: 12345\n\n"] },
    { name: "with \\r\\n", chunks: ["data: 12345\r\n\r", "\ndata: 12345\r\n", "\r\ndata: 1234\r\n\r\n"] },
    { name: "that begin within a piece", chunks: ["data: 1\n\ndata: ", "12345", "\n", "\ndata: 1"] },
  ])("events of the size that is taken pass, $name", async ({ chunks }) => {
    expect(await answerOf(chunks, { eventBytes: 30 })).toBe(chunks.join("").replaceAll("\r\n", "\n"))
  })

  it.each([
    { name: "of one line", chunks: ["data: 1\n\n", "data: 1234567890", "12345678901234567890"] },
    { name: "of several lines", chunks: ["data: 1\n\ndata: 123456\n", "data: 123456\n", "data: 123456\n\n"] },
    { name: "after a short one in its piece", chunks: ["data: 1\n\ndata: 123456789012345678901234567890"] },
  ])("larger ones do not: $name", async ({ chunks }) => {
    await expect(answerOf(chunks, { eventBytes: 30 })).rejects.toThrow("One event of the model's answer is larger")
  })

  it.each([
    { name: "as they are", chunks: ['data: {"a":[{},{},', "{}]}\n\n"] },
    { name: "behind a comment with a quote", chunks: [': "\ndata: {"a":[{},{},{}]}\n\n'] },
    { name: "over several lines", chunks: ['data: {"a":[{},\ndata: {},\ndata: {}]}\n\n'] },
    { name: "behind text with quotes", chunks: ['data: {"\\"{":[{},{},{}]}\n\n'] },
  ])("objects of one event are counted, $name", async ({ chunks }) => {
    expect(await answerOf(chunks, { eventObjects: 4 })).toBe(chunks.join(""))
    await expect(answerOf(chunks, { eventObjects: 3 })).rejects.toThrow("more than 3 objects")
  })

  it("braces in texts, and objects of other events, do not count", async () => {
    const chunks = Array.from({ length: 9 }, () => 'data: {"a":"{{{\\"{{"}\n\n')
    expect(await answerOf(chunks, { eventObjects: 1 })).toBe(chunks.join(""))
  })

  it("I3: others get a turn for every 64 kB, though all of it is there already", async () => {
    let turns = 0
    const others = setInterval(() => {
      turns += 1
    }, 0)
    await answerOf(Array.from({ length: 40 }, () => `: ${"y".repeat(64 * 1024)}\n\n`))
    clearInterval(others)
    expect(turns).toBeGreaterThan(20)
  })

  it("the words of an error are cut where they are too many", async () => {
    expect(await answerOf(["12345", "67890"], { errorBytes: 7 }, 400)).toBe("1234567")
    expect(await answerOf(["12345", "67"], { errorBytes: 7 }, 400)).toBe("1234567")
  })
})
