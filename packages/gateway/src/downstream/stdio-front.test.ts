import { randomUUID } from "node:crypto"
import { PassThrough } from "node:stream"
import { describe, expect, it } from "vitest"
import { exchangeOver, unanswered } from "../wire/not-asked.ts"
import { createSignal } from "../wire/signal.ts"
import { type Body, keepingSealer } from "./fixtures/front-server.ts"
import { createParrot, type Parrot } from "./fixtures/parrot-backend.ts"
import { serveStdioFront } from "./stdio-front.ts"

type Pipe = {
  readonly parrot: Parrot
  readonly say: (message: object | string) => void
  readonly next: () => Promise<Body>
  readonly end: () => Promise<void>
}

function start(perPrincipal?: number): Pipe {
  const parrot = createParrot()
  const input = new PassThrough()
  const output = new PassThrough()
  const identity = { principal: { id: "ann" }, namesSessions: false, session: "process-1" }
  const times = { keepAliveMs: 15_000, parkedMs: 60_000, idleConversationMs: 86_400_000 }
  const served = serveStdioFront({ input, output }, parrot, identity, {
    sealer: keepingSealer(),
    times,
    newId: randomUUID,
    maxBodyBytes: 2_000,
    ...(perPrincipal === undefined ? {} : { openRequests: () => ({ perPrincipal }) }),
  })
  const lines = output.setEncoding("utf8")[Symbol.asyncIterator]()
  let text = ""
  const next = async (): Promise<Body> => {
    while (!text.includes("\n")) text += (await lines.next()).value
    const line = text.slice(0, text.indexOf("\n"))
    text = text.slice(line.length + 1)
    return JSON.parse(line)
  }
  const say = (message: object | string): void => {
    input.write(typeof message === "string" ? message : `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  }
  const end = (): Promise<void> => {
    input.end()
    return served
  }
  return { parrot, say, next, end }
}

const params = {
  protocolVersion: "2025-06-18",
  capabilities: { elicitation: {} },
  clientInfo: { name: "t", version: "1" },
}
const init = { id: 0, method: "initialize", params }
const _meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
}
const call = (id: number, name: string, args: object = {}, more: object = {}) => ({
  id,
  method: "tools/call",
  params: { name, arguments: args, ...more },
})
const question = { method: "elicitation/create", params: { message: "?" } }
const accept = { action: "accept", content: { name: "Ada" } }

describe("the stdio front", () => {
  it("speaks legacy after initialize, also to a client that does not wait for its answer", async () => {
    const { say, next, end, parrot } = start()
    say(init)
    say(call(1, "echo", { a: 1 }))
    expect(await next()).toMatchObject({ id: 0, result: { protocolVersion: "2025-06-18" } })
    expect(await next()).toMatchObject({ id: 1, result: { content: [{ text: '{"a":1}' }] } })
    expect(parrot.callers.at(-1)?.session).toEqual({ principal: "ann", id: "process-1", named: true })
    await end()
    expect(parrot.left).toHaveLength(1)
  })

  it("sends questions as requests, and tells what belongs to no request once initialized", async () => {
    const { say, next, end, parrot } = start()
    say(init)
    await next()
    say(call(1, "ask"))
    const question = await next()
    expect(question.method).toBe("elicitation/create")
    say({ id: question.id, result: accept })
    expect(await next()).toMatchObject({ id: 1, result: { content: [{ text: "Ada" }] } })
    say({ method: "notifications/initialized" })
    await parrot.happened("attended")
    for (const { notify } of parrot.attending) notify({ method: "notifications/tools/list_changed" })
    expect(await next()).toMatchObject({ method: "notifications/tools/list_changed" })
    await end()
    expect(parrot.attending.size).toBe(0)
  })

  it("speaks modern to whoever says who they are: questions park, cancellation is said", async () => {
    const { say, next, end, parrot } = start()
    say(call(1, "ask", {}, { _meta }))
    const { result } = await next()
    const [key] = Object.keys(result.inputRequests)
    say(call(2, "ask", {}, { _meta, inputResponses: { [String(key)]: accept }, requestState: result.requestState }))
    expect(await next()).toMatchObject({ id: 2, result: { resultType: "complete", content: [{ text: "Ada" }] } })
    say(call(3, "slow", { name: "x" }, { _meta }))
    await parrot.started("x")
    say({ method: "notifications/cancelled", params: { requestId: 3 } })
    await parrot.happened("withdrawn x")
    say({ id: 4, method: "server/discover", params: { _meta } })
    expect(await next()).toMatchObject({ id: 4, result: { supportedVersions: ["2026-07-28"] } })
    say({ id: 5, method: "subscriptions/listen", params: { _meta, notifications: { toolsListChanged: true } } })
    expect((await next()).method).toBe("notifications/subscriptions/acknowledged")
    await end()
  })

  it("says what is wrong, and reads on", async () => {
    const { say, next, end } = start()
    say("{nonsense\n")
    expect(await next()).toMatchObject({ id: null, error: { code: -32700 } })
    say(`"${"x".repeat(5_000)}"\n`)
    expect(await next()).toMatchObject({ id: null, error: { code: -32600, data: { code: "too-large" } } })
    say({ id: 1, method: "tools/list" })
    expect(await next()).toMatchObject({ id: 1, error: { code: -32600 } })
    const other = { ..._meta, "io.modelcontextprotocol/protocolVersion": "2099-01-01" }
    say({ id: 2, method: "tools/list", params: { _meta: other } })
    expect(await next()).toMatchObject({ id: 2, error: { code: -32022 } })
    say({ id: 3, method: "ping" })
    expect(await next()).toMatchObject({ id: 3, result: {} })
    await end()
  })

  it("withdraws nothing when the client is gone; it says that nobody listens", async () => {
    const { say, next, end, parrot } = start()
    say(init)
    await next()
    say(call(1, "slow", { name: "alone" }))
    const { exchange, release } = await parrot.started("alone")
    const ended = end()
    await parrot.happened("dropped alone")
    expect(exchange.withdrawn.aborted).toBe(false)
    expect(await exchange.inquire(question)).toBe(exchangeOver)
    release("done")
    await ended
    expect(parrot.left).toHaveLength(1)
  })

  it("leaves a question open that may be about another request, until it can be about nothing or its client is gone", async () => {
    const { say, next, end, parrot } = start()
    say(init)
    await next()
    const asking = async (id: number, name: string, until = createSignal()) => {
      say(call(id, "slow", { name }))
      const { exchange, release } = await parrot.started(name)
      const asked = exchange.inquire(question, until)
      const { id: inquiry } = await next()
      release("done")
      expect(await next()).toMatchObject({ id, result: {} })
      return { asked, inquiry, until }
    }
    const first = await asking(1, "one")
    say({ id: first.inquiry, result: { action: "accept" } })
    expect(await first.asked).toMatchObject({ result: { action: "accept" } })
    const second = await asking(2, "two")
    second.until.abort()
    expect(await second.asked).toBe(unanswered)
    const third = await asking(3, "three")
    await end()
    expect(await third.asked).toBe(unanswered)
  })

  it("asks a client that is gone nothing any more, during its modern requests and outside any either", async () => {
    const { say, next, end, parrot } = start()
    say(init)
    await next()
    say({ method: "notifications/initialized" })
    await parrot.happened("attended")
    say(call(1, "slow", { name: "left" }, { _meta }))
    const { exchange, release } = await parrot.started("left")
    const [listener] = parrot.attending
    const ended = end()
    await parrot.happened("dropped left")
    expect(await exchange.inquire(question)).toBe(exchangeOver)
    expect(await listener?.inquire(question)).toMatchObject({ error: { code: -32603 } })
    release("done")
    await ended
  })

  it("does not reply to what was cancelled, and refuses an id in flight", async () => {
    const { say, next, end, parrot } = start()
    say(init)
    await next()
    say(call(1, "slow", { name: "y" }))
    await parrot.started("y")
    say(call(1, "echo"))
    expect(await next()).toMatchObject({ id: 1, error: { code: -32600 } })
    say({ method: "notifications/cancelled", params: { requestId: 1 } })
    await parrot.happened("withdrawn y")
    say({ id: 2, method: "ping" })
    expect(await next()).toMatchObject({ id: 2 })
    await end()
  })

  it("refuses requests beyond as many as may be open, in both eras, until one of them is answered", async () => {
    const { say, next, end, parrot } = start(1)
    say(init)
    await next()
    say(call(1, "slow", { name: "first" }))
    const { release } = await parrot.started("first")
    say(call(2, "echo"))
    expect(await next()).toMatchObject({ id: 2, error: { message: expect.stringContaining("1 requests open") } })
    say(call(3, "echo", {}, { _meta }))
    expect(await next()).toMatchObject({ id: 3, error: { message: expect.stringContaining("1 requests open") } })
    release("done")
    expect(await next()).toMatchObject({ id: 1, result: {} })
    say(call(4, "echo"))
    expect(await next()).toMatchObject({ id: 4, result: {} })
    await end()
  })
})
