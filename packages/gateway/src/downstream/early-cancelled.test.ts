import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { createBodyBudget, createBodyTurns, createJudgingTurns, type JudgingTurns } from "@byleave/core"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { mostWaitingBytes } from "../fast-path/fast-connection.ts"
import type { ConversationRecord } from "../wire/ports.ts"
import { type Body, type FrontServer, type Received, startFront } from "./fixtures/front-server.ts"
import { createParrot, type Parrot } from "./fixtures/parrot-backend.ts"
import type { HttpFrontOptions } from "./front-options.ts"

const ann = { principal: { id: "ann" }, namesSessions: false }
const neverBegan = "This request was cancelled before it began. Nothing was done."

/** What waits for a turn goes on when the test says so. */
let goesOn: PromiseWithResolvers<void>
/** Requests that have waited for a turn, of either kind. */
let waited: number
/** Requests that have come as far as their head. */
let come: number
/** Of all agents together. */
let mostOpen: number
let identify: HttpFrontOptions["identify"]
let judging: JudgingTurns
let lookUp: (id: string) => Promise<ConversationRecord | undefined>
let parrot: Parrot
let server: FrontServer
let session: string

beforeEach(async () => {
  goesOn = Promise.withResolvers()
  waited = 0
  come = 0
  const wait = () => goesOn.promise
  const counted = <Turns extends { readonly wait: (who: string) => unknown }>(turns: Turns): Turns => ({
    ...turns,
    wait: (who: string) => {
      waited++
      return turns.wait(who)
    },
  })
  judging = counted(createJudgingTurns({ now: () => 0, pause: wait }))
  const bodies = createBodyBudget(undefined, counted(createBodyTurns(wait)))
  parrot = createParrot()
  const records = new Map<string, ConversationRecord>()
  lookUp = async (id) => records.get(id)
  identify = () => ann
  mostOpen = 1_000
  server = await startFront(
    new Map([[null, parrot]]),
    {},
    {
      ...{ bodies, judging, maxBodyBytes: 600_000 },
      openRequests: () => ({ inAll: mostOpen }),
      identify: (headers) => {
        come++
        return identify(headers)
      },
      conversations: {
        put: async (record) => void records.set(record.id, record),
        get: (id) => lookUp(id),
        remove: async (id) => void records.delete(id),
      },
    },
  )
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
  const opened = await server.send({ body: { jsonrpc: "2.0", id: 0, method: "initialize", params } })
  await opened.body()
  session = String(opened.headers["mcp-session-id"])
})
afterEach(async () => {
  goesOn.resolve()
  await server.close()
})

function say(message: object): Promise<Received> {
  return server.send({ headers: { "mcp-session-id": session }, body: { jsonrpc: "2.0", ...message } })
}

async function answerTo(sent: Promise<Received>): Promise<Body> {
  return (await sent).body()
}

/** Sends a request that has to wait, once it does. */
async function waiting(message: object): Promise<{ readonly answer: Promise<Body> }> {
  const before = waited
  const answer = answerTo(say(message))
  await expect.poll(() => waited).toBe(before + 1)
  return { answer }
}

const call = (id: number, args: object = {}, name = "echo") => ({
  id,
  method: "tools/call",
  params: { name, arguments: args },
})
const sized = (id: number, size: number) => call(id, { text: "x".repeat(size) })
const cancel = (requestId: number | string) => ({ method: "notifications/cancelled", params: { requestId } })
/** How many requests the backend was given. */
const begun = () => parrot.callers.length

describe("a legacy request that is cancelled before it begins", () => {
  it.each([
    { name: "its large body waits for its turn", size: 300_000, isBusy: false },
    { name: "it waits for the turn of its agent, and was read", size: 10, isBusy: true },
    { name: "it waits for the turn of its agent, and was not read", size: 10_000, isBusy: true },
  ])("never begins where $name; the cancellation waits for nothing", async ({ size, isBusy }) => {
    // The first large body takes the turn.
    if (isBusy) judging.took("ann", 10)
    else await answerTo(say(sized(1, size)))
    const before = begun()
    const [cancelled, other] = [await waiting(sized(7, size)), await waiting(sized(8, size))]
    expect((await say(cancel(7))).status).toBe(202)
    expect(begun()).toBe(before)
    goesOn.resolve()
    expect(await cancelled.answer).toMatchObject({ id: 7, error: { message: neverBegan } })
    expect(await other.answer).toMatchObject({ id: 8, result: {} })
    expect(begun()).toBe(before + 1)
    // Its id means nothing for what comes later.
    expect(await answerTo(say(call(7)))).toMatchObject({ id: 7, result: {} })
  })

  it("never begins where it waits behind very many small ones", async () => {
    const names = Array.from({ length: 128 }, (_, at) => `small ${at}`)
    const many = names.map((name, at) => answerTo(say(call(100 + at, { name }, "slow"))))
    const started = await Promise.all(names.map(parrot.started))
    const first = await waiting(call(6, { name: "first" }, "slow"))
    const cancelled = await waiting(call(7))
    expect((await say(cancel(7))).status).toBe(202)
    goesOn.resolve()
    expect(await cancelled.answer).toMatchObject({ id: 7, error: { message: neverBegan } })
    for (const { release } of [...started, await parrot.started("first")]) release("done")
    await Promise.all([...many, first.answer])
  })

  it("never begins where the rest of its body comes after the cancellation", async () => {
    const { host, port } = server.url()
    const socket = connect(Number(port), "127.0.0.1")
    await once(socket, "connect")
    const body = JSON.stringify({ jsonrpc: "2.0", ...call(7) })
    const accepts = "Accept: application/json, text/event-stream\r\nContent-Type: application/json"
    const before = { come: come + server.announced(), begun: begun() }
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ann\r\n${accepts}\r\nMcp-Session-Id: ${session}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    )
    await expect.poll(() => come + server.announced()).toBe(before.come + 1)
    expect((await say(cancel(7))).status).toBe(202)
    socket.write(body.slice(20))
    const [answer] = await once(socket, "data")
    expect(String(answer)).toContain(neverBegan)
    expect(begun()).toBe(before.begun)
    socket.destroy()
  })

  it("never begins where so much else is arriving that the rest of it is left to node", async () => {
    const heads: string[] = []
    identify = ({ authorization = "nobody" }) => {
      heads.push(authorization)
      return authorization === "nobody" ? null : ann
    }
    const { host, port } = server.url()
    const others: Socket[] = []
    const send = async (text: string): Promise<Socket> => {
      const socket = connect(Number(port), "127.0.0.1").on("error", () => {})
      others.push(socket)
      await once(socket, "connect")
      socket.write(text)
      return socket
    }
    const head = (size: number, more = "") =>
      `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${more}Content-Length: ${size}\r\n\r\n`
    const body = JSON.stringify({ jsonrpc: "2.0", ...sized(7, 240_000) })
    const ours = `Accept: application/json, text/event-stream\r\nAuthorization: Bearer ann\r\nMcp-Session-Id: ${session}\r\n`
    const before = { come: come + server.announced(), begun: begun() }
    const socket = await send(head(body.length, ours) + body.slice(0, 20))
    await expect.poll(() => come + server.announced()).toBe(before.come + 1)
    expect((await say(cancel(7))).status).toBe(202)
    heads.length = 0
    const part = 200_000
    const needed = Math.ceil(mostWaitingBytes / part) + 4
    await Promise.all(Array.from({ length: needed }, () => send(head(part + 1) + "x".repeat(part))))
    await expect.poll(() => heads).toContain("nobody")
    socket.write(body.slice(20, 230_000))
    // Node's own server knew it from its head.
    if (server.isFast) await expect.poll(() => heads).toContain("Bearer ann")
    socket.write(body.slice(230_000))
    goesOn.resolve()
    const [answer] = await once(socket, "data")
    expect(String(answer)).toContain(neverBegan)
    expect(begun()).toBe(before.begun)
    for (const other of others) other.destroy()
  })

  it("never begins where its conversation is looked up for longer than that of the cancellation", async () => {
    const found = lookUp
    const isLookedUp = Promise.withResolvers<void>()
    const looked: string[] = []
    lookUp = async (id) => {
      looked.push(id)
      if (looked.length === 1) await isLookedUp.promise
      return found(id)
    }
    server.restart()
    const cancelled = answerTo(say(call(7)))
    await expect.poll(() => looked.length).toBe(1)
    expect((await say(cancel(7))).status).toBe(202)
    isLookedUp.resolve()
    expect(await cancelled).toMatchObject({ id: 7, error: { message: neverBegan } })
  })

  it("never begins where it takes longer to tell who sends it than who sends the cancellation", async () => {
    const isKnown = Promise.withResolvers<void>()
    identify = async () => {
      if (come === first) await isKnown.promise
      return ann
    }
    const first = come + 1
    const cancelled = answerTo(say(call(7)))
    await expect.poll(() => come).toBe(first)
    expect((await say(cancel(7))).status).toBe(202)
    isKnown.resolve()
    expect(await cancelled).toMatchObject({ id: 7, error: { message: neverBegan } })
  })

  it("is kept for so many and no more: beyond that, a cancellation is refused and has no effect", async () => {
    judging.took("ann", 10)
    const [cancelled, other] = [await waiting(call(7)), await waiting(call(8))]
    expect((await say(cancel(7))).status).toBe(202)
    let said: Received
    let kept = 0
    do said = await say(cancel(String(kept++).padEnd(4_000, "-")))
    while (said.status === 202)
    expect([said.status, said.headers["retry-after"], kept > 60]).toEqual([429, "1", true])
    goesOn.resolve()
    expect(await cancelled.answer).toMatchObject({ id: 7, error: { message: neverBegan } })
    expect(await other.answer).toMatchObject({ id: 8, result: {} })
  })
})

it("an answer to a server's question waits for no turn of its agent", async () => {
  const asking = await say(call(7, {}, "ask"))
  const question = JSON.parse((await asking.next())?.data || ((await asking.next())?.data ?? ""))
  judging.took("ann", 10)
  const answer = { id: question.id, result: { action: "accept", content: { name: "Ana" } } }
  expect((await say(answer)).status).toBe(202)
  expect(await asking.text()).toContain("Ana")
})

it("a modern request whose stream is closed before it is known who sends it never begins, and counts no more", async () => {
  const isKnown = Promise.withResolvers<void>()
  const looked = Promise.withResolvers<void>()
  identify = async () => {
    looked.resolve()
    await isKnown.promise
    return ann
  }
  const { host, port } = server.url()
  const socket = connect(Number(port), "127.0.0.1")
  await once(socket, "connect")
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  }
  const params = { name: "echo", arguments: {}, _meta: meta }
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
  const modern = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo"
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ann\r\n${modern}\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await looked.promise
  const before = { begun: begun(), over: server.over() }
  socket.destroy()
  await expect.poll(server.over).toBe(before.over + 1)
  isKnown.resolve()
  identify = () => ann
  mostOpen = 1
  expect(await answerTo(say(call(2)))).toMatchObject({ id: 2, result: {} })
  expect(begun()).toBe(before.begun + 1)
})
