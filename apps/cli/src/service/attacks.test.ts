/** The things that an attacker who can write files and start processes, but knows no PIN, must not get from a real service. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { leavePlaces, openPlace, says } from "./fixtures/places.ts"
import type { Running } from "./fixtures/service-process.ts"

const canary = "c4nary-5ecret-0f-the-child"
afterEach(leavePlaces)

const place = (text: string) => openPlace(text, { env: { CANARY: canary } })

async function stop(running: Running): Promise<void> {
  running.child.kill("SIGTERM")
  await running.ended
}

describe("a configuration that was moved", () => {
  it("starts no server in another folder until somebody says yes", async () => {
    const made = await place(`version: 1
servers:
  files:
    command: node
    args: ["server.mjs"]
`)
    const mark = join(dirname(made.config), "mark")
    const program = (words: string) => `import { appendFileSync } from "node:fs"
appendFileSync(${JSON.stringify(mark)}, ${JSON.stringify(words)})
process.stdin.resume()
`
    writeFileSync(join(dirname(made.config), "server.mjs"), program("ours"))
    const first = await made.serve()
    await expect.poll(() => existsSync(mark), { timeout: 15_000 }).toBe(true)
    await stop(first)
    const elsewhere = join(dirname(made.config), "elsewhere")
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, "server.mjs"), program("theirs"))
    writeFileSync(join(elsewhere, "byleave.yaml"), readFileSync(made.config))
    const second = await made.serve("--config", join(elsewhere, "byleave.yaml"))
    await says(second, /Needs approval: Server files is now reached as/)
    await stop(second)
    expect(readFileSync(mark, "utf8")).not.toContain("theirs")
  })
})

describe("a secret that a server's program says aloud", () => {
  it("reaches neither the agent, nor the log, nor what the API shows", async () => {
    const made = await place(`version: 1
servers:
  loud:
    command: node
    args: ["--eval", "console.error('bad token ' + process.env.API_TOKEN); process.exit(1)"]
    env: { API_TOKEN: "\${CANARY}" }
agents: { anonymous: true }
`)
    const service = await made.serve()
    await says(service, "loud is unreachable")
    const answer = await fetch(`${service.url}/mcp/loud`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "any",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: "any",
          arguments: {},
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
      }),
    })
    const said = await answer.text()
    expect(said).toContain("bad token")
    expect(said).not.toContain(canary)
    const servers = await (await made.reviewer(service.url)).listServers()
    expect(JSON.stringify(servers)).toContain("bad token")
    expect(JSON.stringify(servers)).not.toContain(canary)
    await stop(service)
    const { stdout, stderr } = service.output()
    expect(stdout + stderr).not.toContain(canary)
  })
})
