import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { main, makePlace, type Place } from "../service/fixtures/service-process.ts"

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
})
