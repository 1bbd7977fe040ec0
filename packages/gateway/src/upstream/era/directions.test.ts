/** What a server sends reaches whoever uses the connection only where its era lets servers send it. */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import type { Era } from "../../wire/caller.ts"
import type { Ask, Notice, Reply } from "../../wire/message.ts"
import { call, closeAll, ownedBy, said, tryUpstream } from "../fixtures/try-upstream.ts"

type Sent = { readonly id?: number; readonly method: string; readonly params?: object }
type Incoming = { readonly id?: number; readonly method?: string; readonly error?: { readonly code: number } }

const servers: Array<ReturnType<typeof createServer>> = []
afterEach(async () => {
  await closeAll()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const about = { capabilities: { tools: {}, logging: {} }, serverInfo: { name: "talks", version: "1" } }
const hellos = {
  legacy: ["initialize", { protocolVersion: "2025-11-25", ...about }],
  modern: ["server/discover", { resultType: "complete", supportedVersions: ["2026-07-28"], ...about }],
} as const

/** A server over HTTP that sends these on the stream of a call, and answers the call once all it asked was answered. */
async function talking(era: Era, messages: readonly Sent[]) {
  const answers = new Map<number, Incoming>()
  const open = messages.filter(({ id }) => id !== undefined).length
  let finish = (): void => {}
  const send = (response: ServerResponse, message: object): void =>
    void response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`)
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    if (request.method !== "POST") return response.writeHead(405).end()
    const message = JSON.parse(Buffer.concat(pieces).toString()) as Incoming
    const { id, method } = message
    if (method === undefined && id !== undefined) answers.set(id, message)
    if (method === undefined || id === undefined) {
      response.writeHead(202).end()
      if (answers.size === open) finish()
      return
    }
    const [hello, result] = hellos[era]
    if (method !== hello && method !== "tools/call") {
      const error = { code: -32601, message: "Method not found" }
      return response
        .writeHead(404, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, error }))
    }
    response.writeHead(200, { "content-type": "text/event-stream" })
    finish = () => {
      send(response, { id, result: { resultType: "complete", content: [{ type: "text", text: "done" }] } })
      response.end()
    }
    if (method === hello) {
      send(response, { id, result })
      return response.end()
    }
    for (const each of messages) send(response, each)
    if (answers.size === open) finish()
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { answers, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` }
}

/** Calls a tool of the server as a client that can be asked everything; returns what it was told and asked. */
async function heardOf(url: string, era: Era) {
  const abilities = { sampling: {}, elicitation: {}, roots: {}, tasks: {}, tools: {}, shell: {} }
  const link = await tryUpstream({ kind: "http", url, headers: new Map() }).link(ownedBy("a", abilities))
  expect(link.era).toBe(era)
  const notices: Notice[] = []
  const asked: string[] = []
  const answer = async ({ method }: Ask): Promise<Reply> => {
    asked.push(method)
    return { kind: "result", result: {} }
  }
  const stop = link.listen({ onNotice: (notice) => notices.push(notice), onInquiry: answer, onEnd: () => {} })
  const asker = { era, client: null, abilities }
  expect(said(await call(link, "tool", {}, { asker, notices, answer }))).toBe("done")
  stop()
  return { notices: notices.map(({ method }) => method), asked }
}

const log = { method: "notifications/message", params: { level: "info", data: "x" } }

const strangeNotices = [
  "notifications/vendor/words",
  "notifications/Message",
  "notifications/message ",
  "tools/list_changed",
  // Such as only clients send.
  "notifications/initialized",
  "notifications/roots/list_changed",
  // A request of another form.
  "sampling/createMessage",
  "constructor",
  "",
]

const strangeRequests = [
  "sampling/words",
  "sampling/createMessage ",
  "elicitation/Create",
  "roots/",
  "shell/exec",
  // Such as only clients send.
  "tools/call",
  "tools/list",
  // A notification of another form.
  "notifications/message",
  "constructor",
]

describe.each(["legacy", "modern"] as const)("a %s server", (era) => {
  it.each(strangeNotices)("tells nobody %j", async (method) => {
    const { url } = await talking(era, [{ method, params: { level: "info", data: "x" } }, log])
    expect((await heardOf(url, era)).notices).toEqual([log.method])
  })

  it.each(strangeRequests)("asks nobody %j, and is told so", async (method) => {
    const { url, answers } = await talking(era, [{ id: 7, method, params: {} }])
    expect((await heardOf(url, era)).asked).toEqual([])
    expect(answers.get(7)).toMatchObject({ error: { code: -32601 } })
  })

  const isAsked = era === "legacy"
  it(`${isAsked ? "asks" : "asks nothing, not even"} what is known to be a server's question`, async () => {
    const { url, answers } = await talking(era, [{ id: 7, method: "sampling/createMessage", params: {} }])
    expect((await heardOf(url, era)).asked).toEqual(isAsked ? ["sampling/createMessage"] : [])
    expect(answers.get(7)).toMatchObject(isAsked ? { result: {} } : { error: { code: -32601 } })
  })
})
