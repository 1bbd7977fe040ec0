/** What agents and programs get by ending their sessions, or by opening others, before a real service. */
import { fileURLToPath } from "node:url"
import { type Client, gatePaths } from "@byleave/api"
import { afterEach, describe, expect, it } from "vitest"
import { answerCall } from "../../../../test/api/answer-call.ts"
import { leavePlaces, openPlace } from "./fixtures/places.ts"

afterEach(leavePlaces)

const server = fileURLToPath(new URL("./fixtures/schema-server.ts", import.meta.url))
const config = `version: 1
servers:
  up: { command: ${JSON.stringify(process.execPath)}, args: ${JSON.stringify([server, JSON.stringify({ type: "object" })])} }
policy:
  rules:
    - allow: "files(read)"
reviewers: { presence: none }
`
const version = "2025-11-25"
const modern = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
}

async function open() {
  const place = await openPlace(config)
  const { url } = await place.serve()
  const person = await place.reviewer(url)
  const tokenFor = async (id: string, kind: "agent" | "gate"): Promise<Readonly<Record<string, string>>> => {
    const made = await person.addToken({ body: { id, kind, namesSessions: true } })
    if (!made.ok) throw new Error(made.problem.detail)
    return { authorization: `Bearer ${made.value.secret}` }
  }
  return { url, person, tokenFor }
}

/** Denies what waits, for its session and all tools of the server. */
async function denyAll(person: Client, serverId: string): Promise<void> {
  const pending = async () => {
    const held = await person.listApprovals({ query: { status: "pending" } })
    return held.ok ? held.value.items : []
  }
  await expect.poll(async () => (await pending()).length, { timeout: 15_000 }).toBe(1)
  const breadth = { kind: "server", server: serverId, access: "all" } as const
  const [held] = await pending()
  const remember = { scope: "session", breadth } as const
  expect(await answerCall(person, held?.id ?? "", { kind: "deny", remember })).toMatchObject({ ok: true })
}

/** An agent that speaks MCP over HTTP, in both eras. */
function agentAt(url: string, token: Readonly<Record<string, string>>) {
  const post = (message: object, headers: Readonly<Record<string, string>>) =>
    fetch(`${url}/mcp/up`, {
      method: "POST",
      headers: {
        ...token,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    })
  const params = { name: "send", arguments: { to: "a" } }
  const plain = async (named: Readonly<Record<string, string>> = {}) => {
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "send", ...named }
    return (await post({ id: 1, method: "tools/call", params: { ...params, _meta: modern } }, headers)).text()
  }
  const begin = async () => {
    const clientInfo = { name: "test", version: "1" }
    const hello = { protocolVersion: version, capabilities: {}, clientInfo }
    const opened = await post({ id: 1, method: "initialize", params: hello }, {})
    await opened.text()
    const id = opened.headers.get("mcp-session-id") ?? ""
    const headers = { "mcp-session-id": id, "mcp-protocol-version": version }
    await (await post({ method: "notifications/initialized" }, headers)).text()
    const call = async () => (await post({ id: 2, method: "tools/call", params }, headers)).text()
    const end = () => fetch(`${url}/mcp/up`, { method: "DELETE", headers: { ...token, ...headers } })
    return { id, call, end }
  }
  return { plain, named: (id: string) => plain({ "byleave-session": id }), begin }
}

describe("a denial", () => {
  it("given where the session is only the agent holds in the sessions that the agent opens and names", async () => {
    const { url, person, tokenFor } = await open()
    const agent = agentAt(url, await tokenFor("aa", "agent"))
    const asked = agent.plain()
    await denyAll(person, "up")
    const { begin, plain, named } = agent
    await asked
    const conversation = await begin()
    const calls = [() => plain(), () => named("aa"), () => named("s1"), conversation.call]
    for (const call of calls) expect(await call()).toContain("or the agent")
    await conversation.end()
    expect(await plain()).toContain("or the agent")
  })

  it("given for a session holds after the agent ended it and names it again", async () => {
    const { url, person, tokenFor } = await open()
    const agent = agentAt(url, await tokenFor("aa", "agent"))
    const conversation = await agent.begin()
    const asked = conversation.call()
    await denyAll(person, "up")
    await asked
    expect((await conversation.end()).status).toBeLessThan(300)
    expect(await agent.named(conversation.id)).toContain("in this session of")
  })
})

describe("a program that ends a session by its own word", () => {
  it.each([
    { name: "the one that is only its agent", session: { id: "ci:x", named: false } },
    { name: "one named like its agent", session: { id: "ci:x", named: true } },
    { name: "one without a name", session: { id: "x", named: false } },
    { name: "one that it named", session: { id: "s1", named: true } },
  ])("has what was denied in $name denied as before", async ({ session }) => {
    const { url, person, tokenFor } = await open()
    const token = await tokenFor("ci", "gate")
    const post = (path: string, body: object) =>
      fetch(url + path, {
        method: "POST",
        headers: { ...token, "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    const tools = ["read", "pay"].map((name) => ({ name, inputSchema: { type: "object" } }))
    const { instance } = (await (await post(gatePaths.tools, { server: "files", tools })).json()) as {
      instance: string
    }
    const from = { agent: "x", session }
    const submit = (submission: string, tool: string) =>
      post(gatePaths.submit, { submission, from, server: "files", tool, args: {}, told: [instance] })
    const asked = await submit("one", "pay")
    await denyAll(person, "files")
    await asked.text()
    expect((await post(gatePaths.end, { from })).status).toBe(200)
    expect(await (await submit("two", "read")).text()).toContain("denied-by-grant")
    const grants = await person.listGrants()
    expect(grants.ok && grants.value.items).toHaveLength(1)
  })
})
