import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Client as Api, ApprovalView } from "@byleave/api"
import { shownDigest } from "@byleave/api"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { wholeCalls } from "../../apps/cli/src/decide/waiting-calls.ts"
import { makePlace, type Place } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { answerCall } from "../api/answer-call.ts"

const module = (path: string) =>
  fileURLToPath(new URL(`../../node_modules/@modelcontextprotocol/${path}`, import.meta.url))
const node = JSON.stringify(process.execPath)

const config = (workspace: string) => `version: 1
servers:
  files:
    command: ${node}
    args: [${JSON.stringify(module("server-filesystem/dist/index.js"))}, ${JSON.stringify(workspace)}]
  slow:
    command: ${node}
    args: [${JSON.stringify(module("server-everything/dist/index.js"))}, stdio]
    timeout: 1s
policy:
  rules:
    - hide: "files(list_directory_with_sizes)"
    - deny: "files(move_file)"
      reason: Move files by hand.
    - allow: "files(read_*)"
    - allow: "slow(*)"
reviewers: { presence: none }
agents: { anonymous: true }
`

type Said = { readonly isError?: boolean; readonly content: ReadonlyArray<{ readonly text: string }> }

describe("what people asked of the gateway", () => {
  const workspace = mkdtempSync(join(tmpdir(), "byleave-workspace-"))
  let place: Place
  let api: Api
  let agent: Client
  let service: Awaited<ReturnType<Place["serve"]>>

  const call = (name: string, args: Record<string, unknown> = {}, options = {}) =>
    agent.callTool({ name, arguments: args }, undefined, options) as unknown as Promise<Said>
  const write = (name: string, content = "x") => call("files__write_file", { path: join(workspace, name), content })
  const waiting = async (count: number): Promise<readonly ApprovalView[]> => {
    for (let tries = 0; tries < 400; tries++) {
      const reply = await api.listApprovals({ query: { status: "pending" } })
      if (reply.ok && reply.value.items.length === count) return wholeCalls(api, reply.value.items)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error(`${count} calls never waited at once`)
  }
  const answer = (view: ApprovalView | undefined, kind: "approve" | "deny", more: object = {}) =>
    answerCall(api, view?.id ?? "", { kind, ...more })

  beforeAll(async () => {
    place = makePlace(config(workspace))
    await place.command("init", "--presence", "none", "--data", place.data)
    service = await place.serve()
    api = await place.reviewer(service.url)
    agent = new Client({ name: "agent", version: "1" })
    // biome-ignore lint/suspicious/noExplicitAny: the SDK's transport does not fit its own type under exactOptionalPropertyTypes
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)) as any)
  }, 60_000)

  afterAll(async () => {
    await agent?.close().catch(() => undefined)
    await place?.dispose()
    rmSync(workspace, { recursive: true, force: true })
  })

  it("R20: what is hidden is not listed, and does not run when called all the same", async () => {
    const { tools } = await agent.listTools()
    expect(tools.map(({ name }) => name)).not.toContain("files__list_directory_with_sizes")
    await expect(call("files__list_directory_with_sizes", { path: workspace })).rejects.toThrow("Unknown tool")
  })

  it("R11: a name that carries no server, or one nobody knows, fails instead of running", async () => {
    for (const name of ["write_file", "files__", "__write_file", "nowhere__write_file", "files__write_file__"]) {
      await expect(call(name, { path: join(workspace, "never"), content: "" })).rejects.toThrow()
    }
    expect(() => readFileSync(join(workspace, "never"))).toThrow()
  })

  it("R24, R25: once connected, the service tells how many tools will ask, by the rules held against them", () => {
    expect(service.output().stderr).toMatch(/files: \d+ of \d+ tools need approval/)
  })

  it("R6, R82, R94, R99: nothing of a call reaches the server before the verdict, and what the server says then comes back, an error too", async () => {
    const held = call("files__write_file", { path: "/nowhere/at/all.txt", content: "x" })
    const [view] = await waiting(1)
    expect(view?.status).toBe("pending")
    await answer(view, "approve")
    expect(await held).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("Access denied") }] })
  })

  it("R97, R98, R195: several wait at once, and each has its own answer, one by one or together", async () => {
    const calls = ["a", "b", "c"].map((name) => write(name))
    const views = await waiting(3)
    const byFile = (name: string) => views.find(({ args }) => String(args?.path).endsWith(`/${name}`))
    await answer(byFile("a"), "approve")
    await answer(byFile("b"), "deny", { reason: "b is mine" })
    await answer(byFile("c"), "approve")
    const [a, b, c] = await Promise.all(calls)
    expect([a?.isError, b?.isError, c?.isError]).toEqual([undefined, true, undefined])
    expect(() => readFileSync(join(workspace, "b"))).toThrow()
  })

  it("R81, R96, R100, R101: a no is a clear message with its reason, and says whom to turn to", async () => {
    const held = write("denied")
    await answer((await waiting(1))[0], "deny", { reason: "Ask me on Monday." })
    const { isError, content } = await held
    expect(isError).toBe(true)
    expect(content[0]?.text).toContain("Ask me on Monday.")
    const byRule = await call("files__move_file", { source: "a", destination: "b" })
    expect(byRule.content[0]?.text).toContain("Move files by hand.")
    expect(byRule.content[0]?.text).toContain(service.url)
  })

  it("R196: a caller that gives up withdraws its call: it is not run, whoever approves it later", async () => {
    const gone = new AbortController()
    const held = call("files__write_file", { path: join(workspace, "gone"), content: "x" }, { signal: gone.signal })
    const [view] = await waiting(1)
    gone.abort()
    await expect(held).rejects.toThrow()
    await waiting(0)
    expect(await answer(view, "approve")).toMatchObject({ ok: false, problem: { code: "already-settled" } })
    expect(() => readFileSync(join(workspace, "gone"))).toThrow()
  })

  it("R28, R102, R200: a server that does not answer in its time gives an error that says so, not a hang; others work on", async () => {
    const slow = await call("slow__trigger-long-running-operation", { duration: 30, steps: 1 })
    expect(slow).toMatchObject({ isError: true })
    expect(slow.content[0]?.text).toMatch(/outcome of .* is unknown/)
    writeFileSync(join(workspace, "there"), "still here")
    expect((await call("files__read_text_file", { path: join(workspace, "there") })).content[0]?.text).toBe(
      "still here",
    )
  })

  it("R199: messages with nothing in them are answered and crash nothing", async () => {
    const post = (body: string) =>
      fetch(`${service.url}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body,
      }).then(({ status }) => status)
    expect(await Promise.all(["", "{}", "[]", "null", '{"jsonrpc":"2.0"}'].map(post))).toEqual([
      400, 400, 400, 400, 400,
    ])
    expect((await agent.listTools()).tools.length).toBeGreaterThan(5)
  })

  it("R197: what was lost after a yes is offered to be run anew, by a person", async () => {
    const reply = await api.listApprovals({ query: { status: "failed" } })
    const [failed] = reply.ok ? reply.value.items : []
    expect(failed).toBeDefined()
    const shown = await api.getApproval({ params: { id: failed?.id ?? "" } })
    if (!shown.ok) throw new Error(shown.problem.detail)
    const body = { digest: await shownDigest(shown.value) }
    const again = await api.rerunApproval({ params: { id: shown.value.id }, body })
    expect(again).toMatchObject({ ok: true, value: { approval: { status: "approved", rerunOf: failed?.id } } })
  })

  it("R54, R157: a conversation its client ends is a session's end: what waits in it is withdrawn", async () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`))
    const client = new Client({ name: "short", version: "1" })
    // biome-ignore lint/suspicious/noExplicitAny: as above
    await client.connect(transport as any)
    const path = join(workspace, "short")
    const held = client
      .callTool({ name: "files__write_file", arguments: { path, content: "x" } })
      .catch(() => undefined)
    const [view] = await waiting(1)
    await transport.terminateSession()
    await waiting(0)
    expect(await api.getApproval({ params: { id: view?.id ?? "" } })).toMatchObject({ value: { status: "cancelled" } })
    await client.close()
    await held
  })

  it("R69, R70, R75, R83, R88, R89: a held call outlives the service: in another process it is found, decided by its id, and run once", async () => {
    const path = join(workspace, "outlives")
    const held = call("files__write_file", { path, content: "x" }).catch((error: unknown) => error)
    const [view] = await waiting(1)
    service.child.kill("SIGKILL")
    await service.ended
    const port = new URL(service.url).port
    service = await place.serve("--port", port)
    api = await place.reviewer(service.url)
    await answer(
      (await waiting(1)).find(({ id }) => id === view?.id),
      "approve",
    )
    void held
    const later = new Client({ name: "agent", version: "1" })
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { ...sessionOf(agent) }) as any
    await later.connect(transport)
    const said = (await later.callTool({
      name: "files__write_file",
      arguments: { path, content: "x" },
    })) as unknown as Said
    expect(said.isError).not.toBe(true)
    expect(readFileSync(path, "utf8")).toBe("x")
    await later.close()
  }, 60_000)
})

/** The same conversation goes on: its id is known at every process. */
function sessionOf(client: Client): { readonly sessionId?: string } {
  const id = (client.transport as { sessionId?: string } | undefined)?.sessionId
  return id === undefined ? {} : { sessionId: id }
}
