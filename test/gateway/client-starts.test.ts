/** A client over HTTP that is started again and again, and says no goodbye: its server's processes do not add up. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { afterEach, describe, expect, it, vi } from "vitest"
import { createGateway } from "../../packages/gateway/src/create-gateway.ts"
import {
  gateOn,
  memoryStore,
  nodeServer,
  optionsOf,
  policyOf,
  rule,
} from "../../packages/gateway/src/relay/fixtures/open-relay.ts"

const main = fileURLToPath(new URL("../terminal/programs/odd-server.ts", import.meta.url))
const closing: Array<() => unknown> = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0).reverse()) await close()
})

/** A gateway before the odd server over stdio; the log that it is given tells its processes from others. */
async function open() {
  const folder = mkdtempSync(join(tmpdir(), "byleave-starts-"))
  const log = join(folder, "calls")
  const clock = { now: Date.now() }
  const gate = await gateOn(memoryStore(), policyOf([rule("allow", "odd(*)")]))
  const hosts = new Set<string>()
  const gateway = createGateway(
    optionsOf(gate, [nodeServer("odd", [main, log])], new Map(), { hosts: () => hosts, now: () => clock.now }),
  )
  const http = createServer((incoming, response) => void gateway.handle(incoming, response))
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  const { port } = http.address() as AddressInfo
  hosts.add(`127.0.0.1:${port}`)
  closing.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => gate.close(),
    () => gateway.close(),
    () => http.close(),
    () => http.closeAllConnections(),
  )
  return { clock, log, url: new URL(`http://127.0.0.1:${port}/mcp/odd`) }
}

/** One start: it connects, calls once, and is gone without ending its conversation. */
async function start(url: URL, capabilities: object): Promise<void> {
  const client = new Client({ name: "starts", version: "1" }, { capabilities })
  await client.connect(new StreamableHTTPClientTransport(url))
  expect((await client.callTool({ name: "surroundings", arguments: {} })).isError).not.toBe(true)
  await client.close()
}

function processesWith(word: string): number {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").includes(word)
    } catch {
      return false
    }
  }).length
}

const starts = 8
const minutes = 60_000

describe.runIf(process.platform === "linux")("eight starts of a client over HTTP", () => {
  it("share one process of the server where nothing is declared that it could ask for", async () => {
    const { url, log } = await open()
    for (let at = 0; at < starts; at++) await start(url, {})
    expect(processesWith(log)).toBe(1)
  })

  it("leave no process of their own behind, minutes after they are gone", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] })
    const { url, log, clock } = await open()
    const begun = clock.now
    for (let at = 0; at < starts; at++) await start(url, { roots: {} })
    expect(processesWith(log)).toBeGreaterThan(1)
    // The gateway may hear of the last one's leaving between two looks. After an hour it would forget their conversations anyway.
    const later = (): number => {
      if (clock.now - begun < 50 * minutes) {
        clock.now += 1 * minutes
        vi.advanceTimersByTime(1 * minutes)
      }
      return processesWith(log)
    }
    await expect.poll(later, { interval: 200 }).toBeLessThanOrEqual(1)
  })
})
