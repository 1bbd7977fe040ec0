import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Client as ClientOfNow } from "@modelcontextprotocol/client"
import { StdioClientTransport as StdioOfNow } from "@modelcontextprotocol/client/stdio"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { afterEach, describe, expect, it } from "vitest"
import { decide, makeScene, modernEnvelope, type Scene, statusOf, waitingCalls } from "./wrapping.ts"

const modules = fileURLToPath(new URL("../../node_modules/", import.meta.url))
const filesystem = join(modules, "@modelcontextprotocol/server-filesystem/dist/index.js")
const info = { name: "real client", version: "1" }

const scenes: Scene[] = []
async function scene(...odd: readonly string[]): Promise<Scene> {
  const made = await makeScene(undefined, odd)
  scenes.push(made)
  return made
}
afterEach(async () => {
  for (const made of scenes.splice(0)) await made.dispose()
})

type Said = { readonly content?: unknown; readonly isError?: unknown }
type Talk = {
  readonly listTools: () => Promise<{ readonly tools: ReadonlyArray<{ readonly name: string }> }>
  readonly callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>
  readonly close: () => Promise<void>
}
type Start = { command: string; args: string[]; env: Record<string, string>; cwd: string; stderr: "pipe" }

/** The official clients, each in its own way of opening a conversation. */
const clients: Readonly<Record<string, (start: Start) => Promise<Talk>>> = {
  "SDK 1.32": async (start) => {
    const client = new Client(info)
    // biome-ignore lint/suspicious/noExplicitAny: its own transport does not fit its own type under exactOptionalPropertyTypes
    await client.connect(new StdioClientTransport(start) as any)
    return client
  },
  "SDK 2.4, legacy": async (start) => {
    const client = new ClientOfNow(info)
    await client.connect(new StdioOfNow(start))
    return client
  },
  "SDK 2.4, modern": async (start) => {
    const client = new ClientOfNow(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
    await client.connect(new StdioOfNow(start))
    return client
  },
}

describe.each(Object.entries(clients))("byleave wrap before the filesystem server, for %s", (_, connect) => {
  it("R27: lists without what is hidden, runs what is allowed, refuses what is denied, and holds the rest", async () => {
    const { data, serve, reviewer, wrapArgs, env } = await scene()
    const folder = join(data, "..", "workspace")
    mkdirSync(folder)
    writeFileSync(join(folder, "a.txt"), "hello")
    const { url } = await serve()
    const person = await reviewer(url)
    const args = wrapArgs("files", process.execPath, filesystem, folder)
    const talk = await connect({ command: process.execPath, args, env, cwd: folder, stderr: "pipe" })
    const call = (name: string, given: Record<string, unknown>) =>
      talk.callTool({ name, arguments: given }) as Promise<Said>

    const names = (await talk.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(["read_text_file", "write_file", "move_file"]))
    expect(names).not.toContain("directory_tree")
    const read = await call("read_text_file", { path: join(folder, "a.txt") })
    expect(JSON.stringify(read)).toContain("hello")
    const move = await call("move_file", { source: join(folder, "a.txt"), destination: join(folder, "b.txt") })
    expect(move.isError).toBe(true)

    const written = join(folder, "new.txt")
    const write = call("write_file", { path: written, content: "yes" })
    const [held] = await waitingCalls(person, 1)
    if (held === undefined) throw new Error("nothing waits")
    expect(held).toMatchObject({ tool: { server: "files", tool: "write_file" }, principal: { id: "wrap:files" } })
    await decide(person, "approve", held)
    expect((await write).isError).not.toBe(true)
    expect(readFileSync(written, "utf8")).toBe("yes")
    expect(await statusOf(person, held.id)).toBe("succeeded")

    const again = call("write_file", { path: written, content: "no" })
    const [second] = await waitingCalls(person, 1)
    if (second === undefined) throw new Error("nothing waits")
    await decide(person, "deny", second)
    expect((await again).isError).toBe(true)
    expect(readFileSync(written, "utf8")).toBe("yes")
    await talk.close()
  })
})

describe("byleave wrap", () => {
  it("a hidden tool that is called anyway is refused, and never reaches the server", async () => {
    const { serve, wrap, calls } = await scene()
    await serve()
    const client = wrap()
    await client.open()
    const { result } = await client.ask("tools/list", "{}")
    expect(result.tools.map(({ name }) => name)).not.toContain("secret_door")
    expect((await client.call("secret_door")).result?.isError ?? "error").toBeTruthy()
    expect((await client.call("forbidden")).result.content[0]?.text).toContain("Not here.")
    expect(calls()).toEqual([])
  })

  it("the child has the client's folder and environment and nothing of Byleave's; stderr holds no secret", async () => {
    const { serve, wrap, env, data } = await scene()
    await serve()
    const client = wrap()
    await client.open()
    const { result } = await client.call("surroundings")
    const seen = JSON.parse(result.content[0]?.text ?? "")
    expect(seen.cwd).toBe(env.HOME)
    expect(seen.env).toMatchObject({ CLIENTS_OWN: "kept", HOME: env.HOME })
    expect(Object.keys(seen.env).filter((name) => name.startsWith("BYLEAVE_"))).toEqual([])
    expect(client.stderr()).toContain("byleave pending")
    const secrets = ["gate-token", "challenge", "terminal.json"].map((name) => readFileSync(join(data, name), "utf8"))
    for (const secret of [...secrets, "b-s3cret"]) expect(client.stderr()).not.toContain(secret.trim())
  })

  it("numbers reach the child as they were written", async () => {
    const { serve, wrap, reviewer } = await scene()
    const { url } = await serve()
    const person = await reviewer(url)
    const client = wrap()
    await client.open()
    const precise = '{"id":12345678901234567890,"part":0.12345678901234567890,"tiny":1e-7}'
    const answer = client.call("echo", precise)
    const [held] = await waitingCalls(person, 1)
    if (held === undefined) throw new Error("nothing waits")
    await decide(person, "approve", held)
    const { text } = await answer
    for (const number of ["12345678901234567890", "0.12345678901234567890", "1e-7"])
      expect(text).toContain(`:${number}`)
  })

  it("a name that resembles Byleave's own is told to the client's log and by doctor; one that passes for it is refused", async () => {
    const { wrapAs, oddServer, serve, run, data } = await scene()
    await serve()
    const refused = wrapAs("--name", "byl\u0435ave", "--", ...oddServer)
    expect(await refused.ended).toBe(2)
    expect(refused.stderr()).toContain("is not a valid server name")
    const wrapped = wrapAs("--name", "by-leave", "--", ...oddServer)
    await wrapped.open()
    await wrapped.ask("tools/list", "{}")
    expect(wrapped.stderr()).toContain("by-leave, resembles Byleave's own")
    const doctor = await run("doctor", "--data", data).ended
    expect(doctor.stdout).toContain("by-leave, resembles Byleave's own")
  })

  it("eight at once, where no service runs, start one, and all of them work", async () => {
    const { wrap, data } = await scene()
    writeFileSync(join(data, "byleave.yaml"), 'version: 1\npolicy: { rules: [{ allow: "odd(surroundings)" }] }\n')
    const wraps = Array.from({ length: 8 }, () => wrap())
    const answers = await Promise.all(
      wraps.map(async (client) => {
        await client.open()
        return client.call("surroundings")
      }),
    )
    const { pid, url } = JSON.parse(readFileSync(join(data, "service.json"), "utf8"))
    try {
      expect(answers.map(({ result }) => result.isError ?? false)).toEqual(answers.map(() => false))
      expect(wraps.filter((client) => client.stderr().includes("starting the service"))).toHaveLength(1)
      for (const client of wraps) expect(client.stderr()).toContain(url)
    } finally {
      process.kill(pid, "SIGTERM")
    }
    await expect.poll(() => readFileSync(join(data, "service.log"), "utf8"), { timeout: 20_000 }).toContain("Stopping")
  })
})

it("a tools/call without an id reaches no server, of a client before a wrap in either era", async () => {
  const made = await scene()
  await made.serve()
  for (const era of ["legacy", "modern"] as const) {
    const client = made.wrap()
    const hello = { protocolVersion: "2025-11-25", capabilities: { roots: {} }, clientInfo: info }
    if (era === "legacy") await client.ask("initialize", JSON.stringify(hello))
    const call = era === "legacy" ? client.call : client.callModern
    const ran = made.calls().length
    // Its own connection to the server is open by now: what was not judged went over it once.
    await call("surroundings")
    const _meta = era === "legacy" ? {} : { _meta: modernEnvelope }
    for (const name of ["surroundings", "echo", "forbidden"]) {
      const params = { name, arguments: {}, ..._meta }
      client.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", method: "tools/call", params })}\n`)
    }
    await call("surroundings")
    const called = made.calls().slice(ran)
    expect(called.map((line) => line.split(" ")[0])).toEqual(["surroundings", "surroundings"])
  }
}, 60_000)
