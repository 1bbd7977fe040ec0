import { describe, expect, it } from "vitest"
import { ApiError } from "../api-error.ts"
import { createClient } from "./create-client.ts"
import { readEventStream } from "./read-event-stream.ts"

function answering(body: string, init: ResponseInit = {}) {
  const asked: Request[] = []
  const client = createClient({
    url: "http://127.0.0.1:7337",
    fetch: async (input, how) => {
      asked.push(new Request(input as string, how))
      return new Response(body, init)
    },
  })
  return { client, asked }
}

describe("createClient", () => {
  it("puts ids of any spelling into one segment of the address", async () => {
    const { client, asked } = answering("", { status: 200 })
    await client.revokeGrant({ params: { id: "../reviewers/a b?c#d" }, body: { digest: "x" } })
    expect(new URL(asked[0]?.url ?? "").pathname).toBe("/api/grants/..%2Freviewers%2Fa%20b%3Fc%23d/forget")
  })

  it("gives refusals as values", async () => {
    const problem = {
      type: "about:blank",
      title: "not found",
      status: 404,
      code: "not-found",
      detail: "There is none.",
    }
    const { client } = answering(JSON.stringify(problem), { status: 404 })
    expect(await client.getApproval({ params: { id: "x" } })).toEqual({ ok: false, problem })
  })

  it.each([
    { name: "another page", body: "<html>", status: 200 },
    { name: "other JSON", body: "{}", status: 200 },
    { name: "an error of a proxy", body: "Bad gateway", status: 502 },
  ])("takes $name for what it is: not this service", async ({ body, status }) => {
    const { client } = answering(body, { status })
    await expect(client.me()).rejects.toMatchObject({ name: "ApiError", code: "not-this-api" })
  })

  it("says what to do when nobody answers", async () => {
    const client = createClient({ url: "http://127.0.0.1:1", fetch: () => Promise.reject(new TypeError("refused")) })
    await expect(client.me()).rejects.toThrow(ApiError)
    await expect(client.me()).rejects.toThrow(/byleave serve/)
  })
})

it("events are read whole, however their bytes are cut", async () => {
  const event = { seq: 1, type: "grant.changed", subject: "é", at: 5 }
  const bytes = new TextEncoder().encode(`retry: 1\n\n: hi\n\nid: 1\ndata: ${JSON.stringify(event)}\n\n`)
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const read = []
  for await (const each of readEventStream(body)) read.push(each)
  expect(read).toEqual([event])
})
