/** Questions of a server over stdio that outlive the call during which they came, and the clients that answer them. */
import { randomUUID } from "node:crypto"
import { createInterface } from "node:readline"
import { PassThrough } from "node:stream"
import { fileURLToPath } from "node:url"
import type { JsonObject, Rule } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import { keepingSealer, type Received, startFront } from "../../downstream/fixtures/front-server.ts"
import { serveStdioFront } from "../../downstream/stdio-front.ts"
import type { Backend } from "../../wire/exchange.ts"
import { approve, nextHeld, nodeServer, openRelay, policyOf, rule } from "../fixtures/open-relay.ts"

const opened: Array<() => Promise<unknown> | unknown> = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

type Said = { readonly id?: number | string; readonly method?: string; readonly result?: JsonObject }

type Client = {
  readonly send: (message: object) => unknown
  /** The next question that it was asked, wherever. */
  readonly question: () => Promise<Said>
  readonly call: (id: number, name: string) => Promise<string>
}

const server = nodeServer("s", [fileURLToPath(new URL("../fixtures/asking-server.ts", import.meta.url))])
const params = {
  protocolVersion: "2025-11-25",
  capabilities: { elicitation: {} },
  clientInfo: { name: "test", version: "1" },
}
const callOf = (id: number, name: string) => ({ id, method: "tools/call", params: { name, arguments: {} } })
const textOf = ({ result }: Said): string => JSON.stringify(result?.content)

/** What comes, handed out in the order in which it came. */
function inbox() {
  const questions: Said[] = []
  const waiting: Array<(question: Said) => void> = []
  const replies = new Map<unknown, (reply: Said) => void>()
  return {
    take: (message: Said): void => {
      if (message.method === undefined) replies.get(message.id)?.(message)
      else if (message.id === undefined) return
      else if (waiting.length > 0) waiting.shift()?.(message)
      else questions.push(message)
    },
    question: (): Promise<Said> => {
      const first = questions.shift()
      return first === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(first)
    },
    reply: (id: unknown) => new Promise<Said>((resolve) => replies.set(id, resolve)),
  }
}

/** Resolved once its server has a client that listens. */
function attended(backend: Backend): { readonly backend: Backend; readonly done: Promise<void> } {
  const done = Promise.withResolvers<void>()
  const attend: Backend["attend"] = async (caller, listener) => {
    const stop = await backend.attend(caller, listener)
    done.resolve()
    return stop
  }
  return { backend: { ...backend, attend }, done: done.promise }
}

async function overStdio(behind: Backend): Promise<Client> {
  const { backend, done } = attended(behind)
  const [input, output] = [new PassThrough(), new PassThrough()]
  const times = { keepAliveMs: 15_000, parkedMs: 60_000, idleConversationMs: 86_400_000 }
  const identity = { principal: { id: "agent" }, namesSessions: false, session: "p1" }
  const options = { sealer: keepingSealer(), times, newId: randomUUID }
  const served = serveStdioFront({ input, output }, backend, identity, options)
  opened.push(() => {
    input.end()
    return served
  })
  const { take, question, reply } = inbox()
  createInterface({ input: output }).on("line", (line) => take(JSON.parse(line)))
  const send = (message: object): unknown => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const begun = reply(0)
  send({ id: 0, method: "initialize", params })
  await begun
  send({ method: "notifications/initialized" })
  await done
  const call = async (id: number, name: string): Promise<string> => {
    const replied = reply(id)
    send(callOf(id, name))
    return textOf(await replied)
  }
  return { send, question, call }
}

async function overHttp(behind: Backend, listens: boolean): Promise<Client> {
  const { backend, done } = attended(behind)
  const front = await startFront(new Map([[null, backend]]))
  opened.push(front.close)
  const begun = await front.send({ body: { jsonrpc: "2.0", id: 0, method: "initialize", params } })
  const headers = { "mcp-session-id": String(begun.headers["mcp-session-id"]) }
  const { take, question, reply } = inbox()
  const read = async (received: Received): Promise<void> => {
    if (String(received.headers["content-type"]).includes("json")) return take(await received.body())
    for (let event = await received.next(); event !== undefined; event = await received.next())
      if (event.data !== "") take(JSON.parse(event.data))
  }
  const send = async (message: object): Promise<void> =>
    void (await (await front.send({ headers, body: { jsonrpc: "2.0", ...message } })).text())
  await send({ method: "notifications/initialized" })
  if (listens) {
    void read(await front.send({ method: "GET", headers: { ...headers, accept: "text/event-stream" } }))
    await done
  }
  const call = async (id: number, name: string): Promise<string> => {
    const replied = reply(id)
    void front.send({ headers, body: { jsonrpc: "2.0", ...callOf(id, name) } }).then(read)
    return textOf(await replied)
  }
  return { send, question, call }
}

async function open(more: readonly Rule[] = []) {
  const relay = await openRelay([server], { policy: policyOf([rule("allow", "s(*)"), ...more]) })
  opened.push(relay.close)
  return relay
}

const accept = { result: { action: "accept", content: {} } }
const listening = [
  ["over stdio", overStdio],
  ["over HTTP with a GET stream", (backend: Backend) => overHttp(backend, true)],
] as const

describe.each(listening)("a question that comes during a call and is about none, to a client %s", (_, connect) => {
  it("is put to the client where the call's result came in one piece with it", async () => {
    const { backend } = await open()
    const { call, question, send } = await connect(backend("s"))
    await call(1, "end")
    expect(await call(2, "leave")).toContain("left")
    const { id } = await question()
    send({ id, ...accept })
    expect(await call(3, "heard")).toContain("accept")
  })

  it("is put to the client where the result was there before a person approved it, and judged once", async () => {
    const { backend, gate } = await open([rule("ask", "s(elicitation)")])
    const { call, question, send } = await connect(backend("s"))
    const pending: string[] = []
    gate.events(({ type, subject }) => type === "approval.pending" && pending.push(subject))
    const held = nextHeld(gate)
    expect(await call(1, "leave")).toContain("left")
    const approval = await held
    await approve(gate, approval)
    const { id } = await question()
    send({ id, ...accept })
    expect(await call(2, "heard")).toContain("accept")
    expect(pending).toEqual([approval.id])
    expect((await gate.approval(approval.id))?.status).toBe("succeeded")
  })
})

const all = [...listening, ["over HTTP", (backend: Backend) => overHttp(backend, false)]] as const

it.each(all)("a client %s answers a question after the newer call that carried it is over", async (_, connect) => {
  const { backend } = await open()
  const { call, question, send } = await connect(backend("s"))
  await call(1, "end")
  const one = call(2, "ask")
  const other = call(3, "wait")
  const { id } = await question()
  await call(4, "end")
  await other
  send({ id, ...accept })
  expect(await one).toContain("accept")
})
