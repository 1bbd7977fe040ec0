import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { compiled, main, makePlace, type Place } from "../service/fixtures/service-process.ts"

const config = `version: 1
reviewers: { presence: none }
policy:
  rules:
    - allow: "copilot(execute)"
      when: { command: { glob: "ls*" } }
    - deny: "codex(command)"
      when: { command: { glob: "rm*" } }
    - allow: "codex(file_change)"
`
const agent = fileURLToPath(new URL("./fixtures/asking-agent.ts", import.meta.url))

let place: Place
let bin = ""
const closing: Array<() => Promise<unknown>> = []
beforeEach(async () => {
  place = makePlace(config)
  bin = mkdtempSync(join(tmpdir(), "byleave-relay-"))
  for (const name of ["copilot", "codex"]) {
    const script = `#!/bin/sh\n[ "$1" = mcp ] && exec echo '[]'\nexec "${process.execPath}" "${agent}"\n`
    writeFileSync(join(bin, name), script, { mode: 0o755 })
  }
  await place.command("init", "--data", place.data, "--presence", "none")
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await place.dispose()
  rmSync(bin, { recursive: true, force: true })
})

/** An editor's part. */
function editor(...words: readonly string[]) {
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: bin, NODE_COMPILE_CACHE: compiled }
  const child = spawn(process.execPath, [main, "launch", ...words, "--data", place.data], { env, stdio: "pipe" })
  child.stderr.resume()
  const heard: Array<{ readonly method?: string; readonly params?: { readonly line?: string } }> = []
  createInterface(child.stdout).on("line", (line) => heard.push(JSON.parse(line)))
  closing.push(async () => {
    child.stdin.end()
    if (child.exitCode === null) await once(child, "exit")
  })
  const write = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  return {
    write,
    /** Has the agent's program say these messages. */
    say: (...messages: readonly object[]) => write({ method: "say", params: { messages } }),
    heard: () => heard,
    /** The arguments of the agent's program, without the prompt. */
    told: () => heard.flatMap(({ method, params }) => (method === "got" ? [JSON.parse(params?.line ?? "")] : [])),
    child,
  }
}

const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "once", name: "Once", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
]
/** A call as it is announced, and the question about it. */
const asks = (id: number, command: string, more: object = {}) => {
  const call = { toolCallId: `t${id}`, title: "Run", kind: "execute", rawInput: { command, ...more } }
  return [
    { method: "session/update", params: { sessionId: "s1", update: { sessionUpdate: "tool_call", ...call } } },
    { id, method: "session/request_permission", params: { sessionId: "s1", toolCall: call, options } },
  ]
}
const chosen = (optionId: string) => ({ outcome: { outcome: "selected", optionId } })

async function waitingAt(url: string) {
  const listed = await (await place.reviewer(url)).listApprovals({ query: { status: "pending" } })
  return listed.ok ? listed.value.items : []
}

describe("a program's questions over stdio (R93, R187)", () => {
  it("ACP: are answered by rules and people, for once, and never reach the editor; all else passes", async () => {
    const { url } = await place.serve()
    const { say, told, heard, write } = editor("copilot", "--acp")
    say({ method: "session/update", params: { text: "hello" } }, ...asks(1, "ls -l"), ...asks(2, "rm -r notes"))
    await expect.poll(told, { timeout: 20_000 }).toEqual([{ jsonrpc: "2.0", id: 1, result: chosen("once") }])
    await expect.poll(async () => (await waitingAt(url)).length).toBe(1)
    const [held] = await waitingAt(url)
    expect(held).toMatchObject({ tool: { server: "copilot", tool: "execute" } })
    await place.command("deny", held?.id ?? "", "--data", place.data)
    await expect.poll(told).toContainEqual({ jsonrpc: "2.0", id: 2, result: chosen("no") })
    say(...asks(3, "make"))
    await expect.poll(async () => (await waitingAt(url)).length).toBe(1)
    write({ method: "session/cancel", params: { sessionId: "s1" } })
    await expect.poll(async () => (await waitingAt(url)).length).toBe(0)
    await expect.poll(told).toContainEqual({ jsonrpc: "2.0", id: 3, result: chosen("no") })
    expect(told()).toContainEqual({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s1" } })
    expect(heard().map(({ method }) => method)).not.toContain("session/request_permission")
    expect(heard()[0]).toEqual({ jsonrpc: "2.0", method: "session/update", params: { text: "hello" } })
  }, 60_000)

  it("ACP: the editor answers neither what cannot be read nor what waits for a person", async () => {
    const { url } = await place.serve()
    const { say, told, heard, write } = editor("copilot", "--acp")
    const yes = (id: number) => ({ id, result: chosen("once") })
    write(yes(2))
    say(...asks(1, "rm -r notes", { Command: "" }), ...asks(2, "make"))
    await expect.poll(told, { timeout: 20_000 }).toEqual([{ jsonrpc: "2.0", id: 1, result: chosen("no") }])
    await expect.poll(async () => (await waitingAt(url)).length).toBe(1)
    for (const id of [1, 2, 3]) write(yes(id))
    const [held] = await waitingAt(url)
    await place.command("deny", held?.id ?? "", "--data", place.data)
    await expect.poll(() => told().slice(1)).toEqual([{ jsonrpc: "2.0", id: 2, result: chosen("no") }])
    expect(heard().map(({ method }) => method)).toEqual(["session/update", "session/update", "got", "got"])
  }, 60_000)

  it("Codex: commands and changes of files are asked with what they do, and declined while the service is gone", async () => {
    const service = await place.serve()
    const { say, told } = editor("codex", "--app-server")
    const about = { threadId: "th", turnId: "tu", itemId: "i1", startedAtMs: 1 }
    const change = {
      type: "fileChange",
      id: "i1",
      changes: [{ path: "/a", kind: "add", diff: "+x" }],
      status: "inProgress",
    }
    say(
      {
        id: 0,
        method: "item/commandExecution/requestApproval",
        params: { ...about, command: "rm -r notes", cwd: "/a" },
      },
      { method: "item/started", params: { item: change, threadId: "th" } },
      { id: 1, method: "item/fileChange/requestApproval", params: about },
    )
    await expect.poll(() => told().length, { timeout: 20_000 }).toBe(2)
    expect(told()).toContainEqual({ jsonrpc: "2.0", id: 0, result: { decision: "decline" } })
    expect(told()).toContainEqual({ jsonrpc: "2.0", id: 1, result: { decision: "accept" } })
    const listed = await (await place.reviewer(service.url)).listCalls()
    const previews = listed.ok ? JSON.stringify(listed.value.items) : ""
    expect(previews).toContain(`"name":"changes","text":"/a"`)
    const large = { ...change, id: "i2", changes: [{ path: "/b", kind: "add", diff: "+".repeat(4_300_000) }] }
    say(
      { method: "item/started", params: { item: large, threadId: "th" } },
      { id: 3, method: "item/fileChange/requestApproval", params: { ...about, itemId: "i2" } },
    )
    await expect.poll(told).toContainEqual({ jsonrpc: "2.0", id: 3, result: { decision: "decline" } })
    service.child.kill("SIGKILL")
    await service.ended
    say({ id: 2, method: "item/fileChange/requestApproval", params: about })
    await expect
      .poll(told, { timeout: 20_000 })
      .toContainEqual({ jsonrpc: "2.0", id: 2, result: { decision: "decline" } })
  }, 60_000)
})
