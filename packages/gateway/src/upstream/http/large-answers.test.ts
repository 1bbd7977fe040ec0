import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import { anyone, closeAll, tryUpstream } from "../fixtures/try-upstream.ts"
import type { Link } from "../link.ts"
import { createLargeAnswers } from "./large-answers.ts"

describe("large answers", () => {
  const answer = () => {
    const happened: string[] = []
    return { happened, pause: () => void happened.push("pause"), resume: () => void happened.push("resume") }
  }

  it("I1, I2: are read so many at once, and the next when one is done with, the first first", () => {
    const large = createLargeAnswers(2)
    const all = Array.from({ length: 4 }, answer)
    const begun = all.map((each) => large.begin("ana", each))
    expect(all.map(({ happened }) => happened)).toEqual([[], [], ["pause"], ["pause"]])
    begun[1]?.end()
    begun[1]?.end()
    expect(all.map(({ happened }) => happened)).toEqual([[], [], ["pause", "resume"], ["pause"]])
    begun[0]?.end()
    expect(all[3]?.happened).toEqual(["pause", "resume"])
  })

  it("I2: leave their place in the row when nobody wants them any more", () => {
    const large = createLargeAnswers(1)
    const all = Array.from({ length: 3 }, answer)
    const begun = all.map((each) => large.begin("ana", each))
    begun[1]?.end()
    begun[0]?.end()
    expect(all.map(({ happened }) => happened)).toEqual([[], ["pause"], ["pause", "resume"]])
    const later = answer()
    begun[2]?.end()
    large.begin("ana", later)
    expect(later.happened).toEqual([])
  })

  it("I3: of one agent keep no other waiting", () => {
    const large = createLargeAnswers(1)
    large.begin("ana", answer())
    const other = answer()
    large.begin("bob", other)
    expect(other.happened).toEqual([])
  })

  it("I4: are worked on with the event loop turning between them, and not once nobody wants them", async () => {
    const large = createLargeAnswers(3)
    const worked: string[] = []
    const [one, two, three] = ["one", "two", "three"].map((name) => {
      const begun = large.begin("ana", answer())
      begun.inTurn(() => worked.push(name))
      return begun
    })
    two?.end()
    const turned = new Promise((resolve) => setImmediate(resolve)).then(() => worked.push("turned"))
    await expect.poll(() => worked.includes("three")).toBe(true)
    await turned
    expect(worked).toEqual(["one", "turned", "three"])
    one?.end()
    three?.end()
  })
})

describe("large answers of a server", () => {
  const servers: Array<() => void> = []
  afterEach(async () => {
    await closeAll()
    for (const end of servers.splice(0)) end()
  })

  /** Sends half of each answer of `half`, and the rest of all of them when told; others at once. */
  async function serve(type: "application/json" | "text/event-stream") {
    const rest: Array<() => void> = []
    const text = "x".repeat(2 * 1024 * 1024)
    const give = (response: ServerResponse, id: unknown, tool: unknown): void => {
      const result = { content: [{ type: "text", text: tool === "small" ? "small" : text }] }
      const json = JSON.stringify({ jsonrpc: "2.0", id, result })
      const whole = type === "application/json" ? json : `data: ${json}\n\n`
      response.writeHead(200, { "content-type": type })
      if (tool !== "half") return void response.end(whole)
      response.write(whole.slice(0, whole.length / 2))
      rest.push(() => response.end(whole.slice(whole.length / 2)))
    }
    const server = createServer(async (request, response) => {
      if (request.method !== "POST") return void response.writeHead(405).end()
      let body = ""
      for await (const chunk of request) body += chunk
      const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params?: JsonObject }
      if (id === undefined) return void response.writeHead(202).end()
      if (method === "tools/call") return give(response, id, params?.name)
      const hello = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } }
      const said = method === "initialize" ? { result: hello } : { error: { code: -32601, message: "no" } }
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, ...said }))
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    servers.push(() => {
      server.closeAllConnections()
      server.close()
    })
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, rest }
  }

  const calling = (link: Link, name: string, principal: string): Promise<number> =>
    link
      .request({
        ask: { method: "tools/call", params: { name, arguments: {} } },
        asker: { era: "legacy", client: null, abilities: {} },
        principal,
        onNotice: () => {},
        askable: () => null,
        signal: new AbortController().signal,
      })
      .then((reply) => JSON.stringify(reply).length)

  it.each([
    ["application/json", true],
    ["application/json", false],
    ["text/event-stream", true],
    ["text/event-stream", false],
  ] as const)("wait unread while four of the same agent are (%s, fast path: %s)", async (type, fastPath) => {
    const { url, rest } = await serve(type)
    const upstream = tryUpstream({ kind: "http", url, headers: new Map() }, { fastPath })
    const link = await upstream.link(anyone)
    const halves = Array.from({ length: 4 }, () => calling(link, "half", "ana"))
    await expect.poll(() => rest.length).toBe(4)
    let settled = false
    // A small answer behind each half: by then the halves have come.
    for (let n = 0; n < 50; n++) await calling(link, "small", "ana")
    const fifth = calling(link, "large", "ana").finally(() => {
      settled = true
    })
    expect(await calling(link, "large", "bob")).toBeGreaterThan(2_000_000)
    for (let n = 0; n < 50; n++) expect(await calling(link, "small", "ana")).toBeLessThan(200)
    expect(settled).toBe(false)
    for (const send of rest) send()
    for (const each of [...halves, fifth]) expect(await each).toBeGreaterThan(2_000_000)
  })
})
