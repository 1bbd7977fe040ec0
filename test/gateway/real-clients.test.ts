import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Client as ClientOfNow, StreamableHTTPClientTransport as TransportOfNow } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makePlace, type Place } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { compileCache } from "../../packages/gateway/src/upstream/fixtures/compile-cache.ts"

const modules = fileURLToPath(new URL("../../node_modules/", import.meta.url))
const server = (name: string) => join(modules, "@modelcontextprotocol", `server-${name}`, "dist/index.js")
const node = JSON.stringify(process.execPath)
const info = { name: "real client", version: "1" }

const configFor = (http: number, sse: number, workspace: string) => `version: 1
servers:
  stdio: { command: ${node}, args: [${JSON.stringify(server("everything"))}, stdio] }
  http: { url: "http://127.0.0.1:${http}/mcp" }
  sse: { url: "http://127.0.0.1:${sse}/sse", type: sse }
  files: { command: ${node}, args: [${JSON.stringify(server("filesystem"))}, ${JSON.stringify(workspace)}] }
  memory: { command: ${node}, args: [${JSON.stringify(server("memory"))}], env: { MEMORY_FILE_PATH: ${JSON.stringify(join(workspace, "memory.json"))} } }
  thinking: { command: ${node}, args: [${JSON.stringify(server("sequential-thinking"))}] }
policy:
  default: allow
  rules:
    - hide: "*(get-env)"
    - deny: "files(move_file)"
reviewers: { presence: none }
agents: { anonymous: true }
`

type Said = { readonly content?: unknown; readonly isError?: unknown }
type Talk = {
  readonly tools: () => Promise<readonly string[]>
  readonly call: (name: string, args: Record<string, unknown>) => Promise<Said>
  readonly close: () => Promise<void>
}

/** The official clients, in every way they can open a conversation. */
const clients: Readonly<Record<string, (url: string) => Promise<Talk>>> = {
  "SDK 1.32": async (url) => {
    const client = new Client(info)
    // biome-ignore lint/suspicious/noExplicitAny: its own transport does not fit its own type under exactOptionalPropertyTypes
    await client.connect(new StreamableHTTPClientTransport(new URL(url)) as any)
    return talkOf(client)
  },
  "SDK 2.4, legacy": async (url) => {
    const client = new ClientOfNow(info)
    await client.connect(new TransportOfNow(new URL(url)))
    return talkOf(client)
  },
  "SDK 2.4, modern": async (url) => {
    const client = new ClientOfNow(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
    await client.connect(new TransportOfNow(new URL(url)))
    return talkOf(client)
  },
}

/** What both generations of the client have, as far as it is used here. */
type Listing = { readonly listTools: () => Promise<{ readonly tools: ReadonlyArray<{ readonly name: string }> }> }
type Calling = {
  readonly callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>
}

function talkOf(client: Listing & Calling & { readonly close: () => Promise<void> }): Talk {
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args) => client.callTool({ name, arguments: args }) as Promise<Said>,
    close: () => client.close(),
  }
}

describe("real clients before real servers, R27", () => {
  const upstreams: ChildProcess[] = []
  const workspace = mkdtempSync(join(tmpdir(), "byleave-workspace-"))
  let place: Place
  let url: string

  beforeAll(async () => {
    const [http, sse] = [await freePort(), await freePort()]
    upstreams.push(everything("streamableHttp", http), everything("sse", sse))
    place = makePlace(configFor(http, sse, workspace))
    ;({ url } = await place.serve())
  }, 60_000)

  afterAll(async () => {
    for (const child of upstreams) child.kill("SIGKILL")
    await place?.dispose()
    rmSync(workspace, { recursive: true, force: true })
  })

  describe.each(Object.entries(clients))("%s", (_, connect) => {
    it.each(["stdio", "http", "sse"])(
      "the everything server over %s: lists without what is hidden, and echoes",
      async (id) => {
        const talk = await connect(`${url}/mcp/${id}`)
        const tools = await talk.tools()
        expect(tools).toContain("echo")
        expect(tools).not.toContain("get-env")
        expect(await talk.call("echo", { message: "through" })).toMatchObject({ content: [{ text: "Echo: through" }] })
        await talk.close()
      },
    )

    it("all servers behind one address", async () => {
      const talk = await connect(`${url}/mcp`)
      const tools = await talk.tools()
      expect(tools).toEqual(expect.arrayContaining(["files__write_file", "memory__read_graph", "stdio__echo"]))
      expect(tools.filter((name) => name.includes("get-env"))).toEqual([])
      const thought = { thought: "one", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
      expect((await talk.call("thinking__sequentialthinking", thought)).isError).not.toBe(true)
      expect((await talk.call("memory__read_graph", {})).isError).not.toBe(true)
      const path = join(workspace, "note.txt")
      expect((await talk.call("files__write_file", { path, content: "hi" })).isError).not.toBe(true)
      expect(JSON.stringify(await talk.call("files__read_text_file", { path }))).toContain("hi")
      const refused = await talk.call("files__move_file", { source: path, destination: `${path}2` })
      expect(refused.isError).toBe(true)
      expect(JSON.stringify(refused)).toContain("byleave/refusal")
      await talk.close()
    })
  })

  it.each(["legacy", "modern"])(
    "the inspector's command line, %s",
    async (era) => {
      const inspect = async (...args: readonly string[]): Promise<string> => {
        const bin = join(modules, ".bin", "mcp-inspector")
        const all = ["--cli", `${url}/mcp/stdio`, "--transport", "http", "--protocol-era", era, ...args]
        const env = { ...process.env, HOME: workspace, MCP_CATALOG_PATH: join(workspace, "catalog.json") }
        return (await promisify(execFile)(process.execPath, [bin, ...all], { env })).stdout
      }
      expect(await inspect("--method", "tools/list")).toContain('"echo"')
      const args = ["--method", "tools/call", "--tool-name", "echo", "--tool-arg", "message=inspected"]
      expect(await inspect(...args)).toContain("Echo: inspected")
    },
    60_000,
  )
})

function everything(transport: string, port: number): ChildProcess {
  const env = { PATH: process.env.PATH ?? "", PORT: String(port), ...compileCache }
  return spawn(process.execPath, [server("everything"), transport], { env, stdio: "ignore" })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
}
