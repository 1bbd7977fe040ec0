/** About a minute: 160 calls of 3.9 MB, and 20 whose text is crafted, from one agent to a real service. Its smaller twin: test/api/floods/floods.test.ts. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Client } from "@byleave/api"
import { expect, it } from "vitest"
import { makePlace } from "../../apps/cli/src/service/fixtures/service-process.ts"

const filesystem = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url),
)

it("R94: a flood of held calls leaves the list answering, the database bounded, and everything deniable", async () => {
  const workspace = mkdtempSync(join(tmpdir(), "byleave-flood-"))
  writeFileSync(join(workspace, "a"), "")
  const place = makePlace(`version: 1
servers:
  files: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(filesystem)}, ${JSON.stringify(workspace)}] }
reviewers: { presence: none }
agents: { anonymous: true }
`)
  const leaving = new AbortController()
  try {
    await place.command("init", "--presence", "none", "--data", place.data)
    const service = await place.serve()
    const people = await place.reviewer(service.url)
    const texts = Array.from({ length: 20 }, (_, at) => [
      at % 2 === 0 ? "://".repeat(1_300_000) : "⟨U+".repeat(780_000),
    ])
    const large = Array.from({ length: 160 }, () => ["x".repeat(3_900_000)])
    const flood = [...texts, ...large].map(
      ([content], at) =>
        () =>
          call(service.url, workspace, at, content ?? "", leaving.signal),
    )
    // Refused calls answer; held ones do not, so they are not waited for.
    let answered = 0
    let refused = 0
    for (const send of flood) {
      const before = answered + (await waitingCount(people))
      void send().then(
        (text) => {
          answered += 1
          if (
            /of arguments of this agent, across all its sessions, are already waiting|too-much-held|can wait for approval|the limit is 32 MB/.test(
              text,
            )
          )
            refused += 1
        },
        () => undefined,
      )
      for (let tries = 0; tries < 2_000 && answered + (await waitingCount(people)) === before; tries++)
        await new Promise((resolve) => setTimeout(resolve, 10))
    }
    const listed = await people.listApprovals({ query: { status: "pending", limit: 500 } })
    if (!listed.ok) throw new Error(listed.problem.detail)
    const { items } = listed.value
    expect(items.length).toBeGreaterThanOrEqual(8)
    expect(items.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(32_000_000)
    expect(JSON.stringify(items).length).toBeLessThan(100_000)
    expect(refused).toBeGreaterThan(150)
    expect(sizeOf(place.data)).toBeLessThan(300_000_000)
    const verdicts = items.map(({ id, runDigest }) => ({ approval: id, kind: "deny", digest: runDigest }) as const)
    const denied = await people.giveVerdicts({ body: { verdicts } })
    expect(denied.ok && denied.value.answers.every(({ ok }) => ok)).toBe(true)
    expect(await waitingCount(people)).toBe(0)
  } finally {
    leaving.abort()
    await place.dispose()
    rmSync(workspace, { recursive: true, force: true })
  }
}, 600_000)

async function waitingCount(people: Client): Promise<number> {
  const reply = await people.listApprovals({ query: { status: "pending", limit: 500 } })
  if (!reply.ok) throw new Error(reply.problem.detail)
  return reply.value.items.length
}

/** One call in a session of its own, as an agent that initialises anew each time would make it. */
async function call(url: string, workspace: string, at: number, content: string, signal: AbortSignal): Promise<string> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
  const post = (body: object, more: Record<string, string> = {}) =>
    fetch(`${url}/mcp`, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body), signal })
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "flood", version: "1" } }
  const opened = await post({ jsonrpc: "2.0", id: 1, method: "initialize", params })
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" }
  await opened.text()
  await (await post({ jsonrpc: "2.0", method: "notifications/initialized" }, session)).text()
  const args = { path: join(workspace, `f${at}`), content }
  const reply = await post(
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "files__write_file", arguments: args } },
    session,
  )
  return reply.text()
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
