import { connect } from "node:net"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { exchangeOver, unanswered } from "../../wire/not-asked.ts"
import { createSignal } from "../../wire/signal.ts"
import { type Body, type FrontServer, nextMessage, type Received, startFront } from "../fixtures/front-server.ts"
import { createParrot } from "../fixtures/parrot-backend.ts"

const parrot = createParrot()
const other = createParrot()
let server: FrontServer

const parkedMs = 60_000
beforeAll(async () => {
  server = await startFront(
    new Map([
      [null, parrot],
      ["other", other],
    ]),
    { parkedMs },
  )
})
afterAll(() => server.close())
afterEach(() => void vi.useRealTimers())

async function open(version = "2025-11-25", who = "ann"): Promise<string> {
  const params = {
    protocolVersion: version,
    capabilities: { elicitation: {} },
    clientInfo: { name: "test", version: "1" },
  }
  const opened = await server.send({
    headers: { authorization: `Bearer ${who}` },
    body: { jsonrpc: "2.0", id: 0, method: "initialize", params },
  })
  return String(opened.headers["mcp-session-id"])
}

function say(session: string, message: object | object[], headers = {}): Promise<Received> {
  const body = Array.isArray(message) ? message : { jsonrpc: "2.0", ...message }
  return server.send({ headers: { "mcp-session-id": session, ...headers }, body })
}

function call(
  id: number | string,
  name: string,
  args: object = {},
): { id: number | string; method: string; params: object } {
  return { id, method: "tools/call", params: { name, arguments: args } }
}

const neverBegan = "This request was cancelled before it began. Nothing was done."
const textIn = (message: Body): string => message.result.content[0].text

describe("a legacy conversation over HTTP", () => {
  it("says that a reply was delivered once the client has it, and that it was not when its connection broke", async () => {
    const session = await open()
    const answered = say(session, call(1, "slow", { name: "told" }))
    const told = await parrot.started("told")
    const delivered = told.exchange.delivered?.()
    told.release("done")
    await (await answered).body()
    expect(await delivered).toBe(true)

    const lost = await say(session, call(2, "open", { name: "untold" }))
    const untold = await parrot.started("untold")
    const missed = untold.exchange.delivered?.()
    lost.abort()
    expect(await missed).toBe(false)
    untold.release("nobody hears it")
  })

  it("asks nothing for a request that is over or withdrawn, and ends no question later than its request", async () => {
    const session = await open()
    const question = { method: "elicitation/create", params: { message: "?" } }
    const answered = await say(session, call(1, "open", { name: "over" }))
    const over = await parrot.started("over")
    const asked = over.exchange.inquire(question)
    over.release("done")
    expect(await asked).toMatchObject({ error: { code: -32603 } })
    expect((await nextMessage(answered)).method).toBe("elicitation/create")
    expect(textIn(await nextMessage(answered))).toBe("done")
    expect(await over.exchange.inquire(question)).toBe(exchangeOver)

    await say(session, call(2, "open", { name: "away" }))
    const away = await parrot.started("away")
    await say(session, { method: "notifications/cancelled", params: { requestId: 2 } })
    expect(await away.exchange.inquire(question)).toBe(exchangeOver)
  })

  const outlived = { method: "elicitation/create", params: { message: "?" } }

  /** A question that may be about more than the request on whose stream it was put; that request is over. */
  async function outliving(name: string) {
    const session = await open()
    const stream = await server.send({
      method: "GET",
      headers: { "mcp-session-id": session, accept: "text/event-stream" },
    })
    const until = createSignal()
    const answered = await say(session, call(1, "open", { name }))
    const { exchange, release } = await parrot.started(name)
    const asked = exchange.inquire(outlived, until)
    const { id } = await nextMessage(answered)
    release("done")
    expect(textIn(await nextMessage(answered))).toBe("done")
    return { session, stream, until, asked, id }
  }

  it("takes the answer to a question that may be about another request after the one that carried it", async () => {
    const { session, asked, id } = await outliving("carrier")
    const result = { action: "accept" }
    await say(session, { id, result })
    expect(await asked).toEqual({ kind: "result", result })
  })

  it("ends such a question once it can be about nothing any more", async () => {
    const { asked, until } = await outliving("nothing left")
    until.abort()
    expect(await asked).toBe(unanswered)
  })

  it("ends such a question when the last stream of its client does", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] })
    const { stream, asked } = await outliving("stream gone")
    stream.abort()
    await vi.waitFor(async () => {
      vi.advanceTimersByTime(60_000)
      expect(await Promise.race([asked, "open"])).toBe(unanswered)
    })
  })

  it("keeps such a question when the request that carried it is cancelled", async () => {
    const session = await open()
    const until = createSignal()
    const lost = await say(session, call(1, "open", { name: "cancelled carrier" }))
    const { exchange } = await parrot.started("cancelled carrier")
    const asked = exchange.inquire(outlived, until)
    const { id } = await nextMessage(lost)
    await say(session, { method: "notifications/cancelled", params: { requestId: 1 } })
    await say(session, { id, result: { action: "decline" } })
    expect(await asked).toEqual({ kind: "result", result: { action: "decline" } })
  })

  it("waits so long for the answer of a client whose connection broke, unless it comes back", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] })
    const session = await open()
    const question = { method: "elicitation/create", params: { message: "?" } }
    const lost = await say(session, call(1, "open", { name: "absent" }))
    const { exchange, release } = await parrot.started("absent")
    const asked = exchange.inquire(question)
    const { id } = (await lost.next()) ?? {}
    const { data = "{}" } = (await lost.next()) ?? {}
    lost.abort()
    await parrot.happened("dropped absent")
    const back = await server.send({
      method: "GET",
      headers: { "mcp-session-id": session, accept: "text/event-stream", "last-event-id": id },
    })
    vi.advanceTimersByTime(parkedMs)
    await say(session, { id: JSON.parse(data).id, result: { action: "decline" } })
    expect(await asked).toEqual({ kind: "result", result: { action: "decline" } })
    const unheard = exchange.inquire(question)
    back.abort()
    await expect
      .poll(() => {
        vi.advanceTimersByTime(parkedMs)
        return Promise.race([unheard, "open"])
      })
      .toMatchObject({ error: { code: -32603 } })
    release("done")
  })

  it.each([
    ["capabilities", { capabilities: { experimental: { pad: { x: "y".repeat(8_200) } } } }],
    ["clientInfo", { clientInfo: { name: "n".repeat(8_200), version: "1" } }],
  ])("begins with no initialize whose %s are larger than any client's", async (name, declared) => {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, ...declared }
    const before = server.records.size
    const opened = await server.send({ body: { jsonrpc: "2.0", id: "a", method: "initialize", params } })
    expect(await opened.body()).toMatchObject({ error: { code: -32602, message: expect.stringContaining(name) } })
    expect([opened.headers["mcp-session-id"], server.records.size]).toEqual([undefined, before])
  })

  it("begins with initialize, agrees on a revision and keeps what the server says of itself", async () => {
    const params = { protocolVersion: "1999-01-01", capabilities: {}, clientInfo: { name: "test", version: "1" } }
    const opened = await server.send({ body: { jsonrpc: "2.0", id: "a", method: "initialize", params } })
    expect(opened.status).toBe(200)
    expect(opened.headers["mcp-session-id"]).toMatch(/^[\w-]{36}$/)
    expect(await opened.body()).toMatchObject({
      id: "a",
      result: { protocolVersion: "2025-11-25", serverInfo: { name: "parrot" }, instructions: "Speak.", vendor: "kept" },
    })
  })

  it("answers a request as JSON when nothing else was said, with the client's own id and its numbers as written", async () => {
    const session = await open()
    const raw = `{"jsonrpc":"2.0","id":"x-1","method":"vendor/echo","params":{"n":12345678901234567890,"m":1.50}}`
    const answer = await server.send({ headers: { "mcp-session-id": session }, raw })
    expect(answer.headers["content-type"]).toBe("application/json")
    expect(await answer.text()).toBe(
      `{"jsonrpc":"2.0","id":"x-1","result":{"params":{"n":12345678901234567890,"m":1.5}}}`,
    )
  })

  it("knows a session by its principal and path only: everything else is the same 404", async () => {
    const session = await open()
    const list = { id: 1, method: "tools/list" }
    const bob = await say(session, list, { authorization: "Bearer bob" })
    const unknown = await say("no-such-session", list)
    const elsewhere = await server.send({
      path: "/mcp/other",
      headers: { "mcp-session-id": session },
      body: { jsonrpc: "2.0", ...list },
    })
    const answers = [bob, unknown, elsewhere]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    const bodies = await Promise.all(answers.map((answer) => answer.body()))
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect((await server.send({ body: { jsonrpc: "2.0", ...list } })).status).toBe(400)
    expect((await say(session, list)).status).toBe(200)
  })

  it("is still known after a restart, and gone everywhere after DELETE", async () => {
    const session = await open()
    server.restart()
    expect((await say(session, { id: 1, method: "tools/list" })).status).toBe(200)
    const ended = await server.send({ method: "DELETE", headers: { "mcp-session-id": session } })
    expect(ended.status).toBe(200)
    await parrot.happened("left")
    expect(parrot.left.at(-1)?.conversation).toBe(session)
    expect((await say(session, { id: 1, method: "tools/list" })).status).toBe(404)
    server.restart()
    expect((await say(session, { id: 1, method: "tools/list" })).status).toBe(404)
  })

  it("refuses a second request with an id in flight and leaves the first alone", async () => {
    const session = await open()
    const first = say(session, call(7, "slow", { name: "first" }))
    const held = await parrot.started("first")
    expect(await (await say(session, call(7, "echo"))).body()).toMatchObject({ id: 7, error: { code: -32600 } })
    held.release("done")
    expect(textIn(await (await first).body())).toBe("done")
  })

  it("withdraws on notifications/cancelled, and only in its own conversation", async () => {
    const session = await open()
    const stranger = await open()
    const cancel = { method: "notifications/cancelled", params: { requestId: 9 } }
    const pending = say(session, call(9, "slow", { name: "cancel-me" }))
    const held = await parrot.started("cancel-me")
    expect((await say(stranger, cancel)).status).toBe(202)
    expect(held.exchange.withdrawn.aborted).toBe(false)
    expect((await say(session, cancel)).status).toBe(202)
    await parrot.happened("withdrawn cancel-me")
    expect((await pending).status).toBe(200)
  })

  it("takes a broken connection for no cancellation, and replays the reply to whoever names the last event seen", async () => {
    const session = await open()
    const stream = await say(session, call(3, "open", { name: "broken" }))
    expect(stream.headers["content-type"]).toBe("text/event-stream")
    const priming = await stream.next()
    expect(priming).toMatchObject({ data: "", retry: "1000" })
    const held = await parrot.started("broken")
    held.exchange.notify({ method: "notifications/message", params: { level: "info", data: "seen" } })
    const seen = await stream.next()
    stream.abort()
    await parrot.happened("dropped broken")
    expect(held.exchange.withdrawn.aborted).toBe(false)
    held.exchange.notify({ method: "notifications/message", params: { level: "info", data: "missed" } })
    held.release("late")
    const resumed = await server.send({
      method: "GET",
      headers: { "mcp-session-id": session, "last-event-id": seen?.id, accept: "text/event-stream" },
    })
    expect((await nextMessage(resumed)).params.data).toBe("missed")
    expect(textIn(await nextMessage(resumed))).toBe("late")
    expect(await resumed.next()).toBeUndefined()
  })

  it("keeps the replies of broken connections within bounds, the newest ones", async () => {
    const session = await open()
    const broken: Array<string | undefined> = []
    for (let at = 0; at < 300; at += 1) {
      const lost = await say(session, call(`lost-${at}`, "open", { name: `lost-${at}` }))
      broken.push((await lost.next())?.id)
      const { exchange, release } = await parrot.started(`lost-${at}`)
      lost.abort()
      await vi.waitFor(() => expect(exchange.dropped.aborted).toBe(true), { interval: 1 })
      release("kept")
    }
    const resumed = async (id: string | undefined): Promise<number> => {
      const back = await server.send({
        method: "GET",
        headers: { "mcp-session-id": session, accept: "text/event-stream", "last-event-id": id },
      })
      const heard = await Promise.race([nextMessage(back), new Promise((resolve) => setTimeout(resolve, 50, null))])
      back.abort()
      return heard === null ? 0 : 1
    }
    // Of the one that is gone, a new stream is opened, on which nothing comes.
    await expect.poll(() => resumed(broken.at(-1))).toBe(1)
    expect(await resumed(broken[0])).toBe(0)
    await server.send({ method: "DELETE", headers: { "mcp-session-id": session } })
  })

  it("sends a server's question as a request and takes the client's response to it", async () => {
    const session = await open()
    const stream = await say(session, call(4, "ask"))
    const question = await nextMessage(stream)
    expect(question).toMatchObject({ method: "elicitation/create", params: { message: "Question 0" } })
    const answer = { id: question.id, result: { action: "accept", content: { name: "Ada" } } }
    const stranger = await open()
    expect((await say(stranger, { ...answer, result: { action: "accept", content: { name: "Eve" } } })).status).toBe(
      202,
    )
    expect((await say(session, answer)).status).toBe(202)
    expect(textIn(await nextMessage(stream))).toBe("Ada")
    expect(await stream.next()).toBeUndefined()
  })

  it("has as many standing streams as its client opens, and says each thing on the newest that is connected", async () => {
    const session = await open()
    const get = () =>
      server.send({ method: "GET", headers: { "mcp-session-id": session, accept: "text/event-stream" } })
    const said = async (stream: Received) => (await nextMessage(stream)).params.data
    const tell = (data: string) =>
      [...parrot.attending].at(-1)?.notify({ method: "notifications/message", params: { level: "info", data } })
    const before = parrot.attending.size
    const first = await get()
    await parrot.happened("attended")
    const second = await get()
    expect([first.status, second.status]).toEqual([200, 200])
    // Behind, it is one stream: nothing is told twice.
    expect(parrot.attending.size).toBe(before + 1)
    tell("one")
    expect(await said(second)).toBe("one")
    const heard: unknown[] = []
    const hears = said(first).then((data) => heard.push(data))
    second.abort()
    await vi.waitFor(() => {
      tell("two")
      expect(heard).toEqual(["two"])
    })
    await hears
    await server.send({ method: "DELETE", headers: { "mcp-session-id": session } })
  })

  it("keeps four standing streams: a fifth takes the place of the oldest", async () => {
    const session = await open()
    const get = () =>
      server.send({ method: "GET", headers: { "mcp-session-id": session, accept: "text/event-stream" } })
    const streams = [await get(), await get(), await get(), await get(), await get()]
    const [oldest, next] = streams
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await oldest?.next())?.data).toBe("")
    expect(await oldest?.next()).toBeUndefined()
    expect((await next?.next())?.data).toBe("")
    await server.send({ method: "DELETE", headers: { "mcp-session-id": session } })
    expect(await next?.next()).toBeUndefined()
  })

  it("writes nothing to streams that were ended, though those before them on their connection keep them open", async () => {
    const busy = await startFront(new Map([[null, parrot]]), { keepAliveMs: 10 })
    const sessionOf = async (): Promise<string> => {
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
      const opened = await busy.send({ body: { jsonrpc: "2.0", id: 0, method: "initialize", params } })
      return String(opened.headers["mcp-session-id"])
    }
    const [first, second] = [await sessionOf(), await sessionOf()]
    const get = (session: string): string =>
      `GET /mcp HTTP/1.1\r\nhost: ${busy.url().host}\r\nauthorization: Bearer ann\r\naccept: text/event-stream\r\nmcp-session-id: ${session}\r\n\r\n`
    const socket = connect(Number(busy.url().port), "127.0.0.1")
    let heard = ""
    socket.setEncoding("utf8").on("data", (text: string) => {
      heard += text
    })
    socket.write(get(first) + get(second).repeat(5))
    await vi.waitFor(() => expect(heard.split(": keep-alive").length).toBeGreaterThan(5))
    expect(busy.failures).toEqual([])
    socket.destroy()
    await busy.close()
  })

  it("has a standing stream, which tells what belongs to no request and survives a reconnection", async () => {
    const session = await open()
    const get = (headers = {}) =>
      server.send({ method: "GET", headers: { "mcp-session-id": session, accept: "text/event-stream", ...headers } })
    const stream = await get()
    expect(stream.status).toBe(200)
    await parrot.happened("attended")
    const listener = [...parrot.attending].at(-1)
    listener?.notify({ method: "notifications/tools/list_changed" })
    await stream.next()
    const seen = await stream.next()
    expect(seen?.data).toContain("list_changed")
    listener?.notify({ method: "notifications/prompts/list_changed" })
    const again = await get({ "last-event-id": seen?.id })
    expect((await nextMessage(again)).method).toBe("notifications/prompts/list_changed")
    const inquiry = listener?.inquire({ method: "roots/list" })
    const question = await nextMessage(again)
    await say(session, { id: question.id, result: { roots: [] } })
    expect(await inquiry).toEqual({ kind: "result", result: { roots: [] } })
    await server.send({ method: "DELETE", headers: { "mcp-session-id": session } })
    expect(await again.next()).toBeUndefined()
  })

  it("takes batches in 2025-03-26 and nowhere else", async () => {
    const batch = [
      { jsonrpc: "2.0", ...call(1, "echo", { a: 1 }) },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "ping" },
    ]
    const answer = await (await say(await open("2025-03-26"), batch)).body()
    expect(answer.map(({ id }: Body) => id).sort()).toEqual([1, 2])
    expect((await say(await open(), batch)).status).toBe(400)
  })

  it("withdraws a request that its own batch cancels", async () => {
    const batch = [
      { jsonrpc: "2.0", ...call(20, "slow", { name: "batched" }) },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 20 } },
      { jsonrpc: "2.0", id: 21, method: "ping" },
    ]
    const body: Body = await (await say(await open("2025-03-26"), batch)).body()
    expect(body.find(({ id }: Body) => id === 20)).toMatchObject({ error: { message: neverBegan } })
    expect(body.find(({ id }: Body) => id === 21)).toMatchObject({ result: {} })
  })

  it("passes other notifications on and answers ping itself", async () => {
    const session = await open()
    expect((await say(session, { method: "notifications/roots/list_changed" })).status).toBe(202)
    await parrot.happened("note notifications/roots/list_changed")
    expect(await (await say(session, { id: 1, method: "ping" })).body()).toMatchObject({ id: 1, result: {} })
  })
})

describe("R46: what a session is", () => {
  const lastSession = () => parrot.callers.at(-1)?.session

  it("is the MCP session, unless a host that may name sessions names one, in a header or in _meta", async () => {
    const session = await open()
    await say(session, { id: 1, method: "tools/list" })
    expect(lastSession()).toEqual({ principal: "ann", id: session, named: true })
    const hosted = await open("2025-11-25", "host")
    const auth = { authorization: "Bearer host" }
    await say(hosted, { id: 1, method: "tools/list" }, { ...auth, "byleave-session": "thread 5" })
    expect(lastSession()).toEqual({ principal: "host", id: "thread 5", named: true })
    const params = { _meta: { "byleave/session": "thread 6", kept: 1 } }
    const echo = await (await say(hosted, { id: 1, method: "vendor/echo", params }, auth)).body()
    expect(lastSession()?.id).toBe("thread 6")
    expect(echo.result.params).toEqual({ _meta: { kept: 1 } })
  })

  it("cannot be named by other credentials", async () => {
    const session = await open()
    const answer = await say(session, { id: 1, method: "tools/list" }, { "byleave-session": "thread 5" })
    expect(answer.status).toBe(403)
  })
})
