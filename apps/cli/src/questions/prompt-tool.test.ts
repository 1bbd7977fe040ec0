import { PassThrough } from "node:stream"
import { setImmediate as turn } from "node:timers/promises"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { main, makePlace, type Place } from "../service/fixtures/service-process.ts"
import type { PermissionGate } from "./permission-gate.ts"
import { servePromptTool } from "./prompt-tool.ts"

const config = `version: 1
reviewers: { presence: none }
policy:
  rules:
    - allow: "claude(Read)"
    - deny: "claude(WebFetch)"
      reason: Not from here.
`

let place: Place
const closing: Array<() => Promise<unknown>> = []
beforeEach(async () => {
  place = makePlace(config)
  await place.command("init", "--data", place.data, "--presence", "none")
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await place.dispose()
})

/** Claude Code's part: starts the server, and asks its tool. */
async function asker() {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, "prompt-tool", "--data", place.data],
    stderr: "ignore",
  })
  const client = new Client({ name: "claude-code", version: "0" })
  await client.connect(transport)
  closing.push(() => client.close())
  const ask = async (tool: string, input: unknown, signal?: AbortSignal) => {
    const args = { tool_name: tool, input, tool_use_id: "toolu_1" } as Record<string, unknown>
    const options = { timeout: 60_000, ...(signal === undefined ? {} : { signal }) }
    const { content } = await client.callTool({ name: "permission", arguments: args }, options)
    return JSON.parse((content as ReadonlyArray<{ readonly text: string }>)[0]?.text ?? "")
  }
  return { client, ask }
}

describe("the tool that answers Claude Code's permission questions (R93, R187, R215)", () => {
  it("answers by rules, or by what a person decides, with the arguments as they were approved", async () => {
    const { url } = await place.serve()
    const reviewer = await place.reviewer(url)
    const waiting = async () => {
      const listed = await reviewer.listApprovals({ query: { status: "pending" } })
      return listed.ok ? listed.value.items : []
    }
    const { client, ask } = await asker()
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["permission"])
    expect(await ask("Read", { file_path: "/a" })).toEqual({ behavior: "allow", updatedInput: { file_path: "/a" } })
    expect(await ask("WebFetch", { url: "https://a.example" })).toEqual({
      behavior: "deny",
      message: expect.stringContaining("Not from here."),
    })

    const asked = ask("Bash", { command: "ls", n: 1.5 })
    await expect
      .poll(async () => (await waiting()).map(({ tool }) => tool))
      .toEqual([{ server: "claude", tool: "Bash" }])
    const [held] = await waiting()
    const approve = ["approve", held?.id ?? "", "--data", place.data]
    expect(await place.command(...approve)).toMatchObject({ code: 0 })
    expect(await asked).toEqual({ behavior: "allow", updatedInput: { command: "ls", n: 1.5 } })

    const refused = ask("Bash", { command: "rm -r notes" })
    await expect.poll(async () => (await waiting()).length).toBe(1)
    const [second] = await waiting()
    await place.command("deny", second?.id ?? "", "--reason", "Keep them.", "--data", place.data)
    expect(await refused).toEqual({ behavior: "deny", message: expect.stringContaining("Keep them.") })
  }, 60_000)

  it("withdraws a question that Claude Code gives up, and those of a client that is gone", async () => {
    const { url } = await place.serve()
    const reviewer = await place.reviewer(url)
    const statuses = async () => {
      const listed = await reviewer.listApprovals()
      return listed.ok ? listed.value.items.map(({ status }) => status) : []
    }
    const { client, ask } = await asker()
    const given = new AbortController()
    const asked = ask("Bash", { command: "one" }, given.signal).catch((cause: unknown) => String(cause))
    await expect.poll(statuses).toEqual(["pending"])
    given.abort()
    await asked
    await expect.poll(statuses).toEqual(["cancelled"])
    void ask("Bash", { command: "two" }).catch(() => undefined)
    await expect.poll(async () => (await statuses()).includes("pending")).toBe(true)
    await client.close()
    await expect.poll(statuses, { timeout: 10_000 }).toEqual(["cancelled", "cancelled"])
  }, 60_000)

  it("says no while the service is gone, and to what it cannot read", async () => {
    const service = await place.serve()
    const { ask } = await asker()
    expect(await ask("", {})).toMatchObject({ behavior: "deny" })
    expect(await ask("Read", "all of it")).toMatchObject({ behavior: "deny" })
    service.child.kill("SIGKILL")
    await service.ended
    expect(await ask("Read", { file_path: "/a" })).toMatchObject({ behavior: "deny" })
  }, 60_000)

  const call = (id: unknown, input: unknown) =>
    JSON.stringify({
      ...{ jsonrpc: "2.0", id, method: "tools/call" },
      params: { name: "permission", arguments: { tool_name: "Read", input } },
    })
  const [before = "", after = ""] = call(1, { path: "!" }).split("!")
  const notUtf8 = Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)])
  it.each([
    ["two keys that differ in case", call(1, { path: "a", Path: "b" })],
    ["half of a surrogate pair", call(1, { path: "\ud800" })],
    ["more than 4 MiB", call(1, { path: "#".repeat(4_300_000) })],
    ["a key twice", call(1, { path: "a" }).replace('"path"', '"path":"b","path"')],
    ["bytes that are not UTF-8", notUtf8],
    ["an escaped member name, and no input", call(1, null).replace("method", "\\u006dethod")],
  ])("I1: says no to a question with %s, by its id", async (_, line) => {
    const { told, asked } = await heardBy(line)
    expect(asked).toEqual([])
    expect(told).toEqual([{ id: 1, behavior: "deny" }])
  })

  it("I2: says no to both of two open questions with one id", async () => {
    const { told, asked } = await heardBy(call(1, { path: "a" }), call(1, { path: "b" }), call("1", { path: "c" }))
    expect(asked).toEqual([{ path: "a" }, { path: "c" }])
    expect(told.filter(({ id }) => id === 1)).toEqual([
      { id: 1, behavior: "deny" },
      { id: 1, behavior: "deny" },
    ])
    expect(told).toContainEqual({ id: "1", behavior: "allow" })
  })
})

/** The tool with these lines as its input, before a gate that says yes. */
async function heardBy(...lines: ReadonlyArray<string | Uint8Array>) {
  const input = new PassThrough()
  const output = new PassThrough().setEncoding("utf8")
  const asked: unknown[] = []
  const gate: PermissionGate = {
    ask: async ({ args }) => {
      asked.push(args)
      await turn()
      return { kind: "allow", args }
    },
    close: async () => {},
  }
  const served = servePromptTool({ gate, input, output, version: "0" })
  for (const line of lines) input.write(Buffer.concat([Buffer.from(line), Buffer.from("\n")]))
  let text = ""
  output.on("data", (piece: string) => (text += piece))
  await expect.poll(() => text.split("\n").length - 1).toBe(lines.length)
  input.end()
  await served
  const told = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  return { asked, told: told.map(({ id, result }) => ({ id, behavior: JSON.parse(result.content[0].text).behavior })) }
}
