import { createBodyBudget } from "@byleave/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exchangeOver, unanswered } from "../../wire/not-asked.ts"
import { type Body, type FrontServer, nextMessage, type Received, startFront } from "../fixtures/front-server.ts"
import { createParrot } from "../fixtures/parrot-backend.ts"

const parrot = createParrot()
let server: FrontServer

beforeAll(async () => {
  server = await startFront(new Map([[null, parrot]]))
})
afterAll(() => server.close())

const version = "2026-07-28"
const envelope = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
}

type Asked = { readonly method: string; readonly params?: object; readonly id?: number | string }

function ask(
  { method, params = {}, id = 1 }: Asked,
  headers: Record<string, string | undefined> = {},
): Promise<Received> {
  const name = (params as { name?: string }).name
  return server.send({
    headers: {
      "mcp-protocol-version": version,
      "mcp-method": method,
      ...(name === undefined ? {} : { "mcp-name": name }),
      ...headers,
    },
    body: { jsonrpc: "2.0", id, method, params: { _meta: envelope, ...params } },
  })
}

function call(name: string, args: object = {}, more: object = {}): Asked {
  return { method: "tools/call", params: { name, arguments: args, ...more } }
}

const textIn = (message: Body): string => message.result.content[0].text

describe("a modern request over HTTP", () => {
  it("says that its reply was delivered once the client has it, and that it was not when the client left", async () => {
    const answered = ask(call("slow", { name: "heard" }))
    const heard = await parrot.started("heard")
    const delivered = heard.exchange.delivered?.()
    heard.release("done")
    await (await answered).body()
    expect(await delivered).toBe(true)

    const lost = await ask(call("open", { name: "unheard" }))
    const unheard = await parrot.started("unheard")
    const missed = unheard.exchange.delivered?.()
    lost.abort()
    expect(await missed).toBe(false)
  })

  it("asks nothing once it is over or withdrawn, and leaves what it asked open to be asked elsewhere", async () => {
    const question = { method: "elicitation/create", params: { message: "?" } }
    const answered = ask(call("slow", { name: "over" }))
    const over = await parrot.started("over")
    const open = over.exchange.inquire(question)
    over.release("done")
    await (await answered).body()
    expect(await open).toBe(unanswered)
    expect(await over.exchange.inquire(question)).toBe(exchangeOver)

    const left = await ask(call("open", { name: "away" }))
    const away = await parrot.started("away")
    left.abort()
    await parrot.happened("withdrawn away")
    expect(await away.exchange.inquire(question)).toBe(exchangeOver)
  })

  it("is answered without a session, and its result says that it is one", async () => {
    const answer = await ask(call("echo", { a: 1 }))
    expect(answer.status).toBe(200)
    expect(answer.headers["mcp-session-id"]).toBeUndefined()
    expect(await answer.body()).toMatchObject({ id: 1, result: { resultType: "complete" } })
    expect(parrot.callers.at(-1)).toMatchObject({
      era: "modern",
      version,
      abilities: { elicitation: {} },
      session: { principal: "ann", id: "ann", named: false },
    })
  })

  it("discovers what the server says of itself", async () => {
    const { result } = await (await ask({ method: "server/discover" })).body()
    expect(result).toMatchObject({
      resultType: "complete",
      supportedVersions: [version],
      capabilities: { tools: { listChanged: true } },
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "parrot", version: "1" } },
      ttlMs: 0,
      cacheScope: "private",
    })
  })

  it.each(["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "unknown/method"])(
    "has no %s: 404 and -32601, with the request's id",
    async (method) => {
      const answer = await ask({ method, id: 77 })
      expect(answer.status).toBe(404)
      expect(await answer.body()).toMatchObject({ id: 77, error: { code: -32601 } })
    },
  )

  const other = { ...envelope, "io.modelcontextprotocol/protocolVersion": "2099-01-01" }
  const { "io.modelcontextprotocol/clientCapabilities": _abilities, ...noAbilities } = envelope
  it.each<{
    name: string
    params?: object
    headers?: Record<string, string | undefined>
    status: number
    code?: number
    tool?: string
  }>([
    { name: "everything in order", status: 200 },
    { name: "no version header", headers: { "mcp-protocol-version": undefined }, status: 400, code: -32020 },
    { name: "a version header that differs", params: { _meta: other }, status: 400, code: -32020 },
    {
      name: "a version nobody speaks",
      params: { _meta: other },
      headers: { "mcp-protocol-version": "2099-01-01" },
      status: 400,
      code: -32022,
    },
    { name: "no method header", headers: { "mcp-method": undefined }, status: 400, code: -32020 },
    { name: "another method", headers: { "mcp-method": "tools/list" }, status: 400, code: -32020 },
    { name: "the method in capitals", headers: { "mcp-method": "TOOLS/CALL" }, status: 400, code: -32020 },
    { name: "no name header", headers: { "mcp-name": undefined }, status: 400, code: -32020 },
    { name: "another name", headers: { "mcp-name": "slow" }, status: 400, code: -32020 },
    { name: "a name with space around it", headers: { "mcp-name": "  echo " }, status: 200 },
    { name: "a name in base64", headers: { "mcp-name": "=?base64?ZWNobw==?=" }, status: 200 },
    { name: "another name in base64", headers: { "mcp-name": "=?base64?c2xvdw==?=" }, status: 400, code: -32020 },
    { name: "a name in broken base64", headers: { "mcp-name": "=?base64?ZWNobw?=" }, status: 400, code: -32020 },
    { name: "no envelope", params: { _meta: undefined }, status: 400, code: -32602 },
    { name: "no abilities", params: { _meta: noAbilities }, status: 400, code: -32602 },
  ])("checks headers against the body: $name", async ({ params = {}, headers = {}, status, code }) => {
    const answer = await ask({ ...call("echo", {}, params), id: 5 }, headers)
    expect(answer.status).toBe(status)
    const body = await answer.body()
    expect(body.id).toBe(5)
    expect(body.error?.code).toBe(code)
    if (code === -32022) expect(body.error.data).toEqual({ supported: [version], requested: "2099-01-01" })
  })

  it("is withdrawn when its stream is closed", async () => {
    const stream = await ask(call("open", { name: "leave" }))
    await parrot.started("leave")
    stream.abort()
    await parrot.happened("withdrawn leave")
  })

  it("streams what is said before the reply, without ids", async () => {
    const stream = await ask(call("tell"))
    const first = await stream.next()
    expect(first?.id).toBeUndefined()
    expect(first?.data).toContain("on it")
    expect(textIn(await nextMessage(stream))).toBe("told")
  })
})

describe("a server's question to a modern client", () => {
  const accept = (name: string) => ({ action: "accept", content: { name } })

  it("answers with input_required, parks, and goes on with the client's answers under a new id", async () => {
    const first = await (await ask(call("ask", { times: 2 }))).body()
    expect(first.result.resultType).toBe("input_required")
    const [key] = Object.keys(first.result.inputRequests)
    expect(first.result.inputRequests[String(key)]).toMatchObject({ method: "elicitation/create" })
    const { requestState } = first.result
    const again = { inputResponses: { [String(key)]: accept("Ada") }, requestState }
    const second = await (await ask({ ...call("ask", { times: 2 }, again), id: 2 })).body()
    expect(second).toMatchObject({ id: 2, result: { resultType: "input_required" } })
    const [next] = Object.keys(second.result.inputRequests)
    const last = { inputResponses: { [String(next)]: accept("Bo") }, requestState: second.result.requestState }
    expect(textIn(await (await ask({ ...call("ask", { times: 2 }, last), id: 3 })).body())).toBe("Ada,Bo")
    const replay = await ask({ ...call("ask", { times: 2 }, last), id: 4 })
    expect(replay.status).toBe(400)
    expect((await replay.body()).error.code).toBe(-32602)
  })

  it("gathers questions of one moment and asks again for what was left unanswered", async () => {
    const args = { times: 2, together: true }
    const first = await (await ask(call("ask", args))).body()
    const [one, two] = Object.keys(first.result.inputRequests)
    const half = { inputResponses: { [String(one)]: accept("Ada") }, requestState: first.result.requestState }
    const second = await (await ask(call("ask", args, half))).body()
    expect(Object.keys(second.result.inputRequests)).toEqual([two])
    const rest = { inputResponses: { [String(two)]: accept("Bo") }, requestState: second.result.requestState }
    expect(textIn(await (await ask(call("ask", args, rest))).body())).toBe("Ada,Bo")
  })

  it("goes on only for the same principal and the same call", async () => {
    const first = await (await ask(call("ask"))).body()
    const [key] = Object.keys(first.result.inputRequests)
    const again = { inputResponses: { [String(key)]: accept("Eve") }, requestState: first.result.requestState }
    const stranger = await ask(call("ask", {}, again), { authorization: "Bearer bob" })
    const otherArgs = await ask(call("ask", { times: 3 }, again))
    const otherTool = await ask(call("echo", {}, again))
    expect([stranger, otherArgs, otherTool].map(({ status }) => status)).toEqual([400, 400, 400])
    expect(textIn(await (await ask(call("ask", {}, again))).body())).toBe("Eve")
  })

  it("leaves a requestState that is not its own to whoever made it", async () => {
    const params = { requestState: "somebody's", inputResponses: {} }
    const { result } = await (await ask({ method: "vendor/echo", params })).body()
    expect(result.params.requestState).toBe("somebody's")
  })

  it("is given up when the client does not come back", async () => {
    const forgetful = createParrot()
    const short = await startFront(new Map([[null, forgetful]]), { parkedMs: 1 })
    const headers = { "mcp-protocol-version": version, "mcp-method": "tools/call", "mcp-name": "ask" }
    const params = { name: "ask", arguments: {}, _meta: envelope }
    await short.send({ headers, body: { jsonrpc: "2.0", id: 1, method: "tools/call", params } })
    await forgetful.happened("withdrawn ask")
    expect(short.front.counts().parked).toBe(0)
    await short.close()
  })
})

/** A front of its own, whose bodies are counted. */
async function countingFront(perPrincipal: number) {
  const bodies = createBodyBudget(() => ({ perPrincipal, inAll: 4 * perPrincipal }))
  const asking = createParrot()
  const front = await startFront(new Map([[null, asking]]), {}, { bodies, maxBodyBytes: 4_200_000 })
  const headers = { "mcp-protocol-version": version, "mcp-method": "tools/call", "mcp-name": "ask" }
  const send = async (at: number, bytes = 0, more: object = {}, who = "ann"): Promise<Body> => {
    const params = { name: "ask", arguments: { at, text: "x".repeat(bytes) }, _meta: envelope, ...more }
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params }
    return (await front.send({ headers: { ...headers, authorization: `Bearer ${who}` }, body })).body()
  }
  return { bodies, front, send }
}

function answering({ result }: Body): object {
  const [key] = Object.keys(result.inputRequests)
  const answer = { action: "accept", content: { name: "Ada" } }
  return { inputResponses: { [String(key)]: answer }, requestState: result.requestState }
}

describe("I1: calls of a modern client whose servers asked something", () => {
  it("are so many of one agent and no more: the next is withdrawn and says why; nobody else's, nor one that goes on", async () => {
    const { front, send } = await countingFront(64_000_000)
    const asked: Body[] = []
    for (let at = 0; at < 100; at += 1) asked.push(await send(at))
    expect(asked.every(({ result }) => result.resultType === "input_required")).toBe(true)
    const { error } = await send(100)
    expect(error.message).toMatch(/has 100 calls that wait for its answers.*withdrawn\. Answer those, then call again/)
    expect((await send(0, 0, {}, "bob")).result.resultType).toBe("input_required")
    expect(front.front.counts().parked).toBe(101)
    expect(textIn(await send(7, 0, answering(asked[7])))).toBe("Ada")
    expect((await send(101)).result.resultType).toBe("input_required")
    await front.close()
  })

  it("hold so much of one agent and no more, and each can still be answered", async () => {
    const { bodies, front, send } = await countingFront(64_000_000)
    const asked: Body[] = []
    for (let at = 0; at < 8; at += 1) asked.push(await send(at, 3_900_000))
    expect(asked.map(({ result }) => result.resultType)).toEqual(Array.from(asked, () => "input_required"))
    expect(bodies.used()).toBeGreaterThan(8 * 3_800_000)
    const { error } = await send(8, 3_900_000)
    expect(error.message).toMatch(/hold as much as they may\. The call was withdrawn/)
    expect(textIn(await send(0, 3_900_000, answering(asked[0])))).toBe("Ada")
    expect((await send(9, 3_900_000)).result.resultType).toBe("input_required")
    front.front.close()
    await expect.poll(bodies.used).toBe(0)
    await front.close()
  })

  it("count among the bodies of open requests until they are over", async () => {
    const { front, send } = await countingFront(5_000_000)
    const first = await send(0, 2_000_000)
    await send(1, 2_000_000)
    expect((await send(2, 2_000_000)).error.message).toMatch(/hold 5 MB, which is as much as they may/)
    expect(first.result.resultType).toBe("input_required")
    await front.close()
  })
})

describe("subscriptions/listen", () => {
  it("acknowledges what the server can tell, tells that and no more, and ends when the client goes", async () => {
    const resourceSubscriptions = ["a://1", "refused://2"]
    const notifications = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions }
    const stream = await ask({ method: "subscriptions/listen", params: { notifications }, id: "sub" })
    const meta = { "io.modelcontextprotocol/subscriptionId": "sub" }
    expect(await nextMessage(stream)).toEqual({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { toolsListChanged: true, resourceSubscriptions: ["a://1"] }, _meta: meta },
    })
    const listener = [...parrot.attending].at(-1)
    listener?.notify({ method: "notifications/prompts/list_changed" })
    listener?.notify({ method: "notifications/resources/updated", params: { uri: "a://2" } })
    listener?.notify({ method: "notifications/message", params: { level: "info", data: "secret" } })
    listener?.notify({ method: "notifications/resources/updated", params: { uri: "a://1" } })
    expect(await nextMessage(stream)).toMatchObject({ params: { uri: "a://1", _meta: meta } })
    stream.abort()
    await parrot.happened("unattended")
  })

  it("tells what was said before its acknowledgement after it: of each resource the newest, and of a thousand of them", async () => {
    const notifications = { resourceSubscriptions: ["late://1", "a://"] }
    const asked = ask({ method: "subscriptions/listen", params: { notifications } })
    const begin = await parrot.late()
    const listener = [...parrot.attending].at(-1)
    const method = "notifications/resources/updated"
    for (let time = 0; time < 3; time += 1)
      for (let at = 0; at < 3_000; at += 1) listener?.notify({ method, params: { uri: `a://${at}`, time } })
    begin()
    const stream = await asked
    expect((await nextMessage(stream)).method).toBe("notifications/subscriptions/acknowledged")
    listener?.notify({ method, params: { uri: "a://last" } })
    const told: Body[] = []
    while (told.at(-1)?.uri !== "a://last") told.push((await nextMessage(stream)).params)
    // The first was being looked at, and a thousand waited behind it.
    expect(told.length - 1).toBe(1_001)
    expect(new Set(told.slice(1, -1).map(({ time }) => time))).toEqual(new Set([2]))
    stream.abort()
  })

  it("is refused in words where it would be too much", async () => {
    const params = { notifications: { resourceSubscriptions: ["too-much://1"] } }
    const { error } = await (await ask({ method: "subscriptions/listen", params })).body()
    expect(error).toEqual({ code: -32602, message: "That is too much." })
  })

  it("needs to be told what for", async () => {
    const { error } = await (await ask({ method: "subscriptions/listen" })).body()
    expect(error.code).toBe(-32602)
  })
})
