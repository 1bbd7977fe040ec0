import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, expect, it } from "vitest"
import { answerCall } from "../../../../../test/api/answer-call.ts"
import { makePlace, type Place } from "../../service/fixtures/service-process.ts"

const memory = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-memory/dist/index.js"))
const config = (rules: string) => `version: 1
servers:
  memory:
    command: node
    args: [${JSON.stringify(memory)}]
    env: { MEMORY_FILE_PATH: /dev/null }
policy:
  rules: [${rules}]
agents: { anonymous: true }
reviewers: { presence: none }
`
const places: Place[] = []
afterEach(async () => {
  for (const place of places.splice(0)) await place.dispose()
})

async function callTool(url: string, name: string): Promise<string> {
  const headers = {
    ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
    ...{ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name },
  }
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  }
  const params = { name, arguments: {}, _meta }
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
  return (await fetch(`${url}/mcp/memory`, { method: "POST", headers, body })).text()
}

it("replay names the decisions that another policy changes and fails where it allows what was denied; suggest sums up the week", async () => {
  const place = makePlace(config(""))
  places.push(place)
  await place.command("init", "--presence", "none", "--data", place.data)
  const { url } = await place.serve()
  const client = await place.reviewer(url)
  const called = callTool(url, "read_graph")
  const waiting = async () => {
    const list = await client.listApprovals({ query: { status: "pending" } })
    return list.ok ? list.value.items.map(({ id }) => id) : []
  }
  await expect.poll(waiting).toHaveLength(1)
  const [id = ""] = await waiting()
  await answerCall(client, id, { kind: "deny" })
  await called
  const replay = (rules: string, ...more: readonly string[]) => {
    const file = join(dirname(place.data), "new.yaml")
    writeFileSync(file, config(rules))
    return place.command("policy", "replay", "--config", file, "--data", place.data, ...more)
  }
  const allows = await replay('{ allow: "memory(read_graph)" }')
  expect(allows).toMatchObject({ code: 1, stdout: expect.stringContaining("ask → allow") })
  expect(allows.stdout).toContain("1 call that a person denied would be allowed.")
  const denies = await replay('{ deny: "memory(read_graph)" }', "--json")
  expect(denies.code).toBe(0)
  expect(JSON.parse(denies.stdout)).toMatchObject({
    looked: 1,
    allowsDenied: 0,
    different: [{ before: "ask", after: "deny" }],
  })
  expect(await replay('{ allow: "memory(" }')).toMatchObject({ code: 1, stderr: expect.stringContaining("is invalid") })
  const suggest = await place.command("policy", "suggest", "--data", place.data)
  expect(suggest).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 call was answered: 0 allowed, 1 denied"),
  })
  const digest = await place.command("policy", "suggest", "--digest", "--data", place.data)
  expect(digest.stdout).toContain("memory(read_graph)")
  const unknown = await place.command("policy", "suggest", "--accept", "nothing", "--data", place.data)
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no suggestion nothing.") })
}, 60_000)
