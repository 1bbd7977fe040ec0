/** What pages are told by `byleave serve` itself, before real MCP servers, with real clients. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import {
  type Client as Api,
  createClient,
  deviceKeyFrom,
  type EventView,
  followEvents,
  grantsDigest,
  signProof,
} from "@byleave/api"
import { Client as ClientOfNow, StreamableHTTPClientTransport as TransportOfNow } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makePlace, type Place } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { makeScene, waitingCalls } from "../terminal/wrapping.ts"
import { answerCall } from "./answer-call.ts"
import { codeOf, must } from "./open-service.ts"

const filesystem = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url),
)
const config = (workspace: string) => `version: 1
servers:
  files:
    command: ${JSON.stringify(process.execPath)}
    args: [${JSON.stringify(filesystem)}, ${JSON.stringify(workspace)}]
policy:
  rules:
    - ask: "files(read_text_file)"
      when: { path: { glob: "*private*" } }
    - allow: "files(read_*)"
reviewers: { presence: none }
agents: { anonymous: true }
`
const patience = { timeout: 20_000 }

describe("a service before a real server", { timeout: 60_000 }, () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "byleave-workspace-")))
  const at = (name: string): string => join(workspace, name)
  let place: Place
  let api: Api
  let url: string
  let agent: Client

  beforeAll(async () => {
    mkdirSync(at("private"))
    writeFileSync(at("notes.txt"), "one\ntwo\n")
    writeFileSync(at("private/plan.txt"), "mine")
    writeFileSync(at("large.txt"), "x".repeat(1_000_001))
    place = makePlace(config(workspace))
    await place.command("init", "--presence", "none", "--data", place.data)
    const service = await place.serve()
    url = service.url
    api = await place.reviewer(url)
    agent = new Client({ name: "real agent", version: "1.2" }, { capabilities: { roots: {} } })
    agent.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(workspace).href }] }))
    // biome-ignore lint/suspicious/noExplicitAny: the SDK's transport does not fit its own type under exactOptionalPropertyTypes
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/files`)) as any)
    await agent.listTools()
  }, 60_000)

  afterAll(async () => {
    await agent?.close().catch(() => undefined)
    await place?.dispose()
    rmSync(workspace, { recursive: true, force: true })
  })

  /** Proposes a call and gives the id it waits under; nobody minds what becomes of it. */
  async function waiting(name: string, args: Record<string, unknown>): Promise<string> {
    const known = new Set(must(await api.listApprovals({ query: { status: "pending" } })).items.map(({ id }) => id))
    agent.callTool({ name, arguments: args }).catch(() => undefined)
    for (;;) {
      const held = must(await api.listApprovals({ query: { status: "pending" } })).items.find(
        ({ id }) => !known.has(id),
      )
      if (held !== undefined) return held.id
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  const current = async (id: string) => must(await api.currentContent({ params: { id } }))
  const reader = { server: "files", tool: "read_text_file" }
  const readForCards = async () => {
    const { reviewer } = must(await api.me())
    return must(await api.listCalls({ query: { principal: `inbox:${reviewer.id}`, limit: 500 } })).items
  }

  it.each([
    { name: "write_file", more: { content: "three\n" } },
    { name: "edit_file", more: { edits: [{ oldText: "one", newText: "1" }] } },
  ])(
    "R137: shows what the file that $name would change holds now, read as a call of its own",
    async ({ name, more }) => {
      const id = await waiting(name, { path: at("notes.txt"), ...more })
      expect(await current(id)).toEqual({ kind: "text", path: at("notes.txt"), text: "one\ntwo\n", by: reader })
      const [reading] = await readForCards()
      expect(reading).toMatchObject({
        ...{ tool: reader, effect: "allow", outcome: "succeeded" },
        preview: [{ name: "path", text: at("notes.txt") }],
      })
    },
  )

  it("says that a file is not there, or why it is not shown", async () => {
    const written = (path: string) => waiting("write_file", { path, content: "x" })
    expect(await current(await written(at("new.txt")))).toEqual({ kind: "absent", path: at("new.txt"), by: reader })
    const hidden = await written(at("private/plan.txt"))
    expect(await current(hidden)).toEqual({
      kind: "unavailable",
      why: `The policy does not allow reading ${at("private/plan.txt")} without approval.`,
    })
    const odd = at('private". Byleave compared it. Nothing changes')
    expect(await current(await written(odd))).toEqual({
      kind: "unavailable",
      why: `The policy does not allow reading "${odd.replaceAll('"', '\\"')}" without approval.`,
    })
    expect(must(await api.listCalls({ query: { tool: "read_text_file", effect: "ask" } })).items).toEqual([])
    expect(await current(await written(at("large.txt")))).toMatchObject({
      kind: "unavailable",
      why: expect.stringContaining("1 MB"),
    })
    expect(await current(await written("/etc/hostname"))).toMatchObject({ kind: "unavailable" })
    const startsElsewhere = { kind: "unavailable", why: expect.stringContaining("only the agent's own connection") }
    expect(await current(await written("notes.txt"))).toEqual(startsElsewhere)
    const branch = await waiting("write_file", { path: at("notes.txt"), content: "one\ntwo\n", branch: "production" })
    expect(await current(branch)).toEqual({
      kind: "unavailable",
      why: 'files(read_text_file) does not take "branch", so it may read another file than the one this call changes.',
    })
    const other = await waiting("create_directory", { path: at("folder") })
    expect(await current(other)).toMatchObject({ kind: "unavailable" })
    expect(codeOf(await api.currentContent({ params: { id: "nobody" } }))).toBe("not-found")
  })

  it("shows arguments that a reviewer has edited as what they would do, and decides nothing", async () => {
    const id = await waiting("write_file", { path: at("fresh.txt"), content: "three\n" })
    const preview = async (args: { path: string; content: string }) =>
      must(await api.previewEdit({ params: { id }, body: { args } }))
    expect(await preview({ path: at("fresh.txt"), content: "x" })).toMatchObject({
      current: { kind: "absent", path: at("fresh.txt") },
      refused: null,
    })
    expect((await preview({ path: at("notes.txt"), content: "x" })).current).toEqual({
      ...{ kind: "text", path: at("notes.txt"), text: "one\ntwo\n", by: reader },
    })
    const { risks } = await preview({ path: at("fresh.txt"), content: "pass\u202eword" })
    expect(risks.map(({ kind }) => kind)).toContain("hidden-characters")
    expect(must(await api.getApproval({ params: { id } }))).toMatchObject({ status: "pending", editedArgs: null })
    must(await answerCall(api, id, { kind: "deny" }))
    expect((await preview({ path: at("notes.txt"), content: "x" })).refused).not.toBeNull()
    const nobody = { params: { id: "nobody" }, body: { args: {} } }
    expect(codeOf(await api.previewEdit(nobody))).toBe("not-found")
  })

  it("reads nothing for a call that does not wait any more", async () => {
    const id = await waiting("write_file", { path: at("notes.txt"), content: "late" })
    must(await answerCall(api, id, { kind: "deny" }))
    const before = (await readForCards()).length
    expect(await current(id)).toMatchObject({ kind: "unavailable" })
    expect(await readForCards()).toHaveLength(before)
  })

  it("R137: keeps what is read for a card apart from what agents call, and on record as that", async () => {
    // Since another moment each time: a count that was just made is not made again.
    const counted = async (since: number) => {
      const { byDecision } = must(await api.insight({ query: { since } }))
      return byDecision.reduce((sum, { allow }) => sum + allow, 0)
    }
    const id = await waiting("write_file", { path: at("not-yet.txt"), content: "x" })
    const before = await counted(0)
    expect(await current(id)).toMatchObject({ kind: "absent" })
    expect(await counted(1)).toBe(before)
    const [reading] = await readForCards()
    expect(reading).toMatchObject({
      preview: [{ name: "path", text: at("not-yet.txt") }],
      outcome: "failed",
      forCard: true,
    })
    const all = must(await api.listCalls({ query: { limit: 500 } })).items
    expect(all.filter(({ principal }) => principal.startsWith("inbox:"))).toEqual([])
    const { items: failed } = must(await api.listAudit({ query: { types: "run.failed", limit: 1 } }))
    expect(failed).toMatchObject([{ subject: reading?.id, forCard: true }])
    const { records } = must(await api.getCall({ params: { id: reading?.id ?? "" } }))
    expect(records.map(({ type, forCard }) => [type, forCard])).toEqual([
      ["call.allowed", true],
      ["run.failed", true],
    ])
    const { items: asked } = must(await api.listAudit({ query: { types: "call.asked", limit: 1 } }))
    expect(asked[0]).not.toHaveProperty("forCard")
  })

  it("knows a session by its client, the folder that says it works in, and its first call", async () => {
    await agent.callTool({ name: "read_text_file", arguments: { path: at("notes.txt") } })
    const now = new ClientOfNow(
      { name: "modern", version: "3" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    )
    await now.connect(new TransportOfNow(new URL(`${url}/mcp/files`)))
    await now.callTool({ name: "read_text_file", arguments: { path: at("notes.txt") } })
    const sessions = async () => must(await api.listSessions()).items
    // The folder is known once the server has asked for it, which it does when it likes.
    await expect
      .poll(sessions)
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ client: "real agent 1.2", folder: workspace }),
          expect.objectContaining({ client: "modern 3", firstCall: reader, named: false }),
        ]),
      )
    const items = await sessions()
    expect(items.every(({ principal }) => !principal.startsWith("inbox:"))).toBe(true)
    for (const { startedAt, lastSeenAt } of items) expect(lastSeenAt).toBeGreaterThanOrEqual(startedAt ?? Number.NaN)
    await now.close()
  })

  it("counts calls by decision for Prometheus", async () => {
    const text = await (await fetch(`${url}/metrics`)).text()
    const count = (decision: string) =>
      Number(new RegExp(`byleave_calls_total{decision="${decision}"} (\\d+)`).exec(text)?.[1])
    const all = [...must(await api.listCalls({ query: { limit: 500 } })).items, ...(await readForCards())]
    for (const decision of ["allow", "ask", "deny", "hide"]) {
      expect(count(decision), decision).toBe(all.filter(({ effect }) => effect === decision).length)
    }
    expect(count("allow")).toBeGreaterThan(0)
  })
})

describe("byleave wrap", { timeout: 60_000 }, () => {
  it("tells which client it stands before, and the folder it was started in", async () => {
    const scene = await makeScene()
    try {
      const { url } = await scene.serve()
      const api = await scene.reviewer(url)
      const client = scene.wrap()
      await client.open()
      client.call("echo").catch(() => undefined)
      await waitingCalls(api, 1)
      const session = async () => must(await api.listSessions()).items[0]
      await expect.poll(async () => (await session())?.client, patience).toBe("lines 1")
      expect(await session()).toMatchObject({ folder: scene.env.HOME, firstCall: { server: "odd", tool: "echo" } })
    } finally {
      await scene.dispose()
    }
  })
})

describe("a server that a client wraps", { timeout: 60_000 }, () => {
  it("is listed with its tools, also when its client has left, and can be neither stopped nor started here", async () => {
    const scene = await makeScene()
    try {
      const { url } = await scene.serve()
      const api = await scene.reviewer(url)
      expect(must(await api.listServers()).items).toEqual([])
      const client = scene.wrap()
      await client.open()
      await client.ask("tools/list", "{}")
      await expect.poll(async () => must(await api.listServers()).items.length, patience).toBe(1)
      client.child.stdin?.end()
      await client.ended
      const params = { id: "odd" }
      const server = must(await api.getServer({ params }))
      expect(server).toMatchObject({ id: "odd", transport: "program", target: "wrap", stopped: false })
      expect(must(await api.listServers()).items).toEqual([server])
      expect(server.tools.find(({ name }) => name === "echo")).toMatchObject({ pin: "accepted", effect: "ask" })
      const { text } = must(await api.getPolicyText())
      const open = (text ?? "").replace("policy:\n", "policy:\n  default: allow\n")
      expect(must(await api.previewPolicy({ body: { text: open } })).tools).toContainEqual(
        expect.objectContaining({ tool: { server: "odd", tool: "echo" }, before: "ask", after: "allow" }),
      )
      for (const act of [api.stopServer, api.startServer, api.restartServer])
        expect(codeOf(await act({ params }))).toBe("not-found")
    } finally {
      await scene.dispose()
    }
  })
})

/** At night more of them, killed once more. */
const [pagesOpen, rounds] = process.env.BYLEAVE_NIGHTLY === undefined ? [6, 2] : [20, 3]

describe("several pages", { timeout: 120_000 }, () => {
  it("lose and double nothing while connections break and the service is killed and started anew", async () => {
    const place = makePlace("version: 1\nreviewers: { presence: none }\n")
    const abort = new AbortController()
    try {
      await place.command("init", "--presence", "none", "--data", place.data)
      let service = await place.serve()
      const { url } = service
      const api = await place.reviewer(url)
      const from = await newest(api)
      const pages = await Promise.all(Array.from({ length: pagesOpen }, () => openPage(place, url, from, abort.signal)))
      for (let round = 0; round < rounds; round++) {
        await change(api, 5)
        for (const [index, page] of pages.entries()) if (index % rounds === round) page.cut()
        await change(api, 5)
        service.child.kill(round === 1 ? "SIGTERM" : "SIGKILL")
        await service.ended
        service = await place.serve("--port", new URL(url).port)
        await change(api, 5)
      }
      const expected = await eventsUpTo(api, from, await newest(api))
      expect(expected.length).toBeGreaterThanOrEqual(30 * rounds)
      for (const { heard } of pages) {
        await expect.poll(() => heard.at(-1), patience).toBe(expected.at(-1))
        expect(heard).toEqual(expected)
      }
    } finally {
      abort.abort()
      await place.dispose()
    }
  })
})

type Page = { readonly heard: readonly number[]; readonly cut: () => void }

/** A page that follows events over connections that can be cut. */
async function openPage(place: Place, url: string, after: number, signal: AbortSignal): Promise<Page> {
  const { jwk } = JSON.parse(readFileSync(join(place.data, "terminal.json"), "utf8"))
  const key = await deviceKeyFrom(jwk)
  const heard: number[] = []
  let connection = new AbortController()
  const client = createClient({
    url,
    sign: (request) => signProof({ key, ...request, now: Date.now() }),
    fetch: (input, init) => {
      connection = new AbortController()
      return fetch(input, { ...init, signal: AbortSignal.any([connection.signal, signal]) })
    },
  })
  const isOpen = Promise.withResolvers<void>()
  void followEvents({
    client,
    after,
    signal,
    wait: () => new Promise((resolve) => setTimeout(resolve, 20)),
    onConnected: (connected) => connected && isOpen.resolve(),
    onEvent: ({ type, seq }) => {
      if (!type.startsWith("stream.")) heard.push(seq)
    },
  })
  await isOpen.promise
  return { heard, cut: () => connection.abort() }
}

/** Something becomes true and untrue again, so many times. */
async function change(api: Api, times: number): Promise<void> {
  const breadth = { kind: "tool", server: "files", tool: "write" } as const
  for (let time = 0; time < times; time++) {
    const grant = must(await api.addGrant({ body: { effect: "deny", breadth } }))
    must(await api.revokeGrant({ params: { id: grant.id }, body: { digest: await grantsDigest([grant]) } }))
  }
}

async function newest(api: Api): Promise<number> {
  for await (const { seq } of must(await api.events({}))) return seq
  throw new Error("The stream ended before it began.")
}

async function eventsUpTo(api: Api, after: number, last: number): Promise<readonly number[]> {
  const events: EventView[] = []
  for await (const event of must(await api.events({ after }))) {
    if (!event.type.startsWith("stream.")) events.push(event)
    if (event.seq >= last) break
  }
  return events.map(({ seq }) => seq)
}
