import { type ChildProcess, spawn } from "node:child_process"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { UpstreamTransport } from "../gateway.ts"
import type { Ask, Notice, Reply } from "../wire/message.ts"
import { compileCache } from "./fixtures/compile-cache.ts"
import { type FaultyHttp, floodLines, startFaultyHttp } from "./fixtures/faulty-http.ts"
import { anyone, call, closeAll, ownedBy, request, said, tryUpstream } from "./fixtures/try-upstream.ts"

function at(url: string, headers: Record<string, string> = {}): UpstreamTransport {
  return { kind: "http", url, headers: new Map(Object.entries(headers)) }
}

afterEach(closeAll)

describe.each([
  { mode: "streamableHttp", path: "/mcp" },
  { mode: "sse", path: "/sse" },
])("the everything server over $mode", ({ mode, path }) => {
  let child: ChildProcess
  let url = ""

  beforeAll(async () => {
    const entry = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"))
    const port = await freePort()
    child = spawn(process.execPath, [entry, mode], {
      env: { ...compileCache, PORT: String(port) },
      stdio: ["ignore", "pipe", "pipe"],
    })
    url = `http://127.0.0.1:${port}${path}`
    await isListening(child)
  })
  afterAll(() => child.kill())

  it("is found to be legacy, answers, and reports progress under the caller's own token", async () => {
    const link = await tryUpstream(at(url)).link(anyone)
    expect(link.era).toBe("legacy")
    const notices: Notice[] = []
    const params = {
      name: "trigger-long-running-operation",
      arguments: { duration: 0.2, steps: 2 },
      _meta: { progressToken: "mine" },
    }
    const [echoed] = await Promise.all([
      call(link, "echo", { message: "hi" }),
      request(link, "tools/call", params, { notices }),
    ])
    expect(said(echoed)).toBe("Echo: hi")
    expect(notices.map((notice) => notice.params?.progressToken)).toEqual(["mine", "mine"])
  })

  it("asks each client on its own connection", async () => {
    const upstream = tryUpstream(at(url))
    const owners = ["a", "b"]
    const asked: string[] = []
    const answers = owners.map(async (owner) => {
      const link = await upstream.link(ownedBy(owner, { elicitation: {} }))
      const answer = async (ask: Ask): Promise<Reply> => {
        asked.push(`${owner} ${ask.method}`)
        return { kind: "result", result: { action: owner === "a" ? "decline" : "cancel" } }
      }
      return said(await call(link, "trigger-elicitation-request", {}, { answer }))
    })
    expect(await Promise.all(answers)).toEqual([
      expect.stringContaining("declined"),
      expect.stringContaining("cancelled"),
    ])
    expect(asked.sort()).toEqual(["a elicitation/create", "b elicitation/create"])
  })
})

describe("an HTTP server that goes wrong", () => {
  let server: FaultyHttp
  const calls = () => server.seen.filter((line) => line.startsWith("tools/call"))

  beforeAll(async () => {
    server = await startFaultyHttp()
  })
  afterEach(() => server.seen.splice(0))
  afterAll(() => server.close())

  it.each([
    { tool: "cut", code: "cut-off" },
    { tool: "cut-body", code: "cut-off" },
    { tool: "cut-stream", code: "cut-off" },
    { tool: "broken-json", code: "malformed" },
    { tool: "broken-event", code: "malformed" },
    { tool: "wrong-id", code: "malformed" },
    { tool: "accepted", code: "cut-off" },
    { tool: "failing", code: "cut-off" },
    { tool: "forbidden", code: "refused" },
    { tool: "crowded", code: "refused" },
    { tool: "see-other", code: "cut-off" },
    { tool: "moved", code: "cut-off" },
    { tool: "endless", code: "timeout" },
    { tool: "endless-event", code: "malformed" },
  ])("$tool: the call fails as $code, was sent once, and the next one works", async ({ tool, code }) => {
    const link = await tryUpstream(at(server.url), { maxMessageBytes: 1_000_000 }).link(anyone)
    let sent = 0
    const failed = call(link, tool, {}, { onSent: () => sent++, timeoutMs: 2_000 })
    await expect(failed).rejects.toMatchObject({ code })
    expect(said(await call(link, "echo"))).toBe("echo")
    expect([sent, calls()]).toEqual([1, [`tools/call ${tool}`, "tools/call echo"]])
  })

  it("a result of 10 MB passes", async () => {
    const link = await tryUpstream(at(server.url)).link(anyone)
    expect(said(await call(link, "large"))).toHaveLength(10 * 1024 * 1024)
  })

  it.each([true, false])(
    "streams of small messages come whole, and let others have their turn (fast path: %s)",
    async (fastPath) => {
      const link = await tryUpstream(at(server.url), { fastPath }).link(anyone)
      const streams = 20
      let heard = 0
      let inTurn = 0
      let mostInTurn = 0
      let isOver = false
      const endTurn = (): void => {
        mostInTurn = Math.max(mostInTurn, inTurn)
        inTurn = 0
        if (!isOver) setImmediate(endTurn)
      }
      setImmediate(endTurn)
      const onNotice = (): void => {
        heard += 1
        inTurn += 1
      }
      const flooded = Array.from({ length: streams }, () => call(link, "flood", {}, { onNotice }))
      expect((await Promise.all(flooded)).map(said)).toEqual(Array(streams).fill("flooded"))
      isOver = true
      expect(heard).toBe(streams * floodLines)
      expect(mostInTurn).toBeLessThan(floodLines / 2)
    },
  )

  it("a call on a connection that broke while it rested is not sent again; a listing is", async () => {
    const link = await tryUpstream(at(server.url)).link(anyone)
    await call(link, "echo")
    await expect(call(link, "cut")).rejects.toMatchObject({ code: "cut-off" })
    expect(calls()).toEqual(["tools/call echo", "tools/call cut"])
    await call(link, "echo")
    server.cut()
    expect(await request(link, "tools/list")).toMatchObject({ kind: "result" })
  })

  it("I1: what a person approved is not sent again on a stale connection, whatever its method", async () => {
    const link = await tryUpstream(at(server.url)).link(anyone)
    const reads = () => server.seen.filter((line) => line === "resources/read").length
    for (const { once, times } of [
      { once: true, times: 1 },
      { once: false, times: 2 },
    ]) {
      await call(link, "echo")
      const before = reads()
      await expect(request(link, "resources/read", { uri: "cut:" }, { once })).rejects.toMatchObject({
        code: "cut-off",
      })
      expect(reads() - before).toBe(times)
    }
  })

  it("I1: a call that meets a forgotten session is not sent again; the next one opens a new session", async () => {
    const upstream = tryUpstream(at(server.url))
    const link = await upstream.link(anyone)
    let ended = 0
    link.listen({ onNotice: () => {}, onInquiry: async () => Promise.reject(new Error()), onEnd: () => ended++ })
    server.sessions.clear()
    const failed = await Promise.allSettled([1, 2, 3].map(() => call(link, "echo")))
    expect(failed.map((each) => each.status === "rejected" && each.reason.code)).toEqual(Array(3).fill("cut-off"))
    expect([ended, calls().length]).toEqual([1, 3])
    expect(said(await call(await upstream.link(anyone), "echo"))).toBe("echo")
    expect(server.seen.filter((line) => line === "initialize")).toHaveLength(2)
  })

  it("what does nothing is asked again in a new session, unless a person approved it", async () => {
    const upstream = tryUpstream(at(server.url))
    const link = await upstream.link(anyone)
    server.sessions.clear()
    expect(await request(link, "tools/list")).toMatchObject({ kind: "result" })
    server.sessions.clear()
    const approved = request(await upstream.link(anyone), "resources/read", { uri: "a:" }, { once: true })
    await expect(approved).rejects.toMatchObject({ code: "cut-off" })
    expect(server.seen.filter((line) => line === "resources/read")).toHaveLength(1)
  })

  it("I4: an answer that names the call is its answer, though it came with 404; the session is over then", async () => {
    const upstream = tryUpstream(at(server.url))
    const link = await upstream.link(anyone)
    const reply = await call(link, "missing-receipt")
    expect(reply).toMatchObject({ kind: "error", error: { message: "Sent, but there is no receipt" } })
    expect(calls()).toHaveLength(1)
    expect(said(await call(link, "echo"))).toBe("echo")
    expect(server.seen.filter((line) => line === "initialize")).toHaveLength(2)
  })

  it("the rest of a stream that ended early is fetched, and the call is not repeated", async () => {
    const link = await tryUpstream(at(server.url)).link(anyone)
    expect(said(await call(link, "later"))).toBe("resumed")
    expect(calls()).toEqual(["tools/call later"])
  })

  it("a stream that cannot be named in a header is not come back to: what became of its call is unknown", async () => {
    const link = await tryUpstream(at(server.url)).link(anyone)
    await expect(call(link, "unsendable-id")).rejects.toMatchObject({ code: "cut-off" })
    expect(said(await call(link, "echo"))).toBe("echo")
  })

  it("a withdrawn call is cancelled by a message that does not wait behind it", async () => {
    const link = await tryUpstream(at(server.url)).link(anyone)
    const leave = new AbortController()
    const waiting = call(link, "never", {}, { signal: leave.signal })
    await expect.poll(() => server.seen).toContain("tools/call never")
    leave.abort()
    await expect(waiting).rejects.toMatchObject({ code: "withdrawn" })
    await expect.poll(() => server.seen).toContain("notifications/cancelled")
  })

  it("its session ends with the connection", async () => {
    const upstream = tryUpstream(at(server.url))
    await upstream.link(anyone)
    await upstream.close()
    expect(server.seen.at(-1)).toBe("DELETE")
  })
})

describe("an HTTP server that is not there", () => {
  it("nothing listens: unreachable, and nothing was sent", async () => {
    const server = await startFaultyHttp()
    const upstream = tryUpstream(at(server.url))
    const link = await upstream.link(anyone)
    await server.close()
    // A connection that had rested may break once more before the client hears that it is closed.
    await expect.poll(() => request(link, "ping").catch((error) => error.code)).toBe("unreachable")
    let sent = 0
    await expect(call(link, "echo", {}, { onSent: () => sent++ })).rejects.toMatchObject({ code: "unreachable" })
    expect(sent).toBe(0)
    expect(upstream.health()).toMatchObject({ state: "failing", lastError: expect.stringContaining("nothing listens") })
  })

  it("credentials do not follow a redirect to another origin", async () => {
    const other = await startFaultyHttp()
    const server = await startFaultyHttp({ redirectTo: other.url })
    const upstream = tryUpstream(at(server.url, { Authorization: "Bearer canary" }))
    await expect(upstream.link(anyone)).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("Write the address it means"),
    })
    expect(server.headers[0]?.authorization).toBe("Bearer canary")
    expect(other.seen).toEqual([])
    await Promise.all([server.close(), other.close()])
  })
})

it("I1: a server that wants requests at another of its addresses gets each call there, once", async () => {
  const server = await startFaultyHttp({ servesAt: "/mcp/" })
  const link = await tryUpstream(at(server.url)).link(anyone)
  server.seen.splice(0)
  expect(said(await call(link, "echo"))).toBe("echo")
  expect(server.seen.filter((line) => line !== "GET")).toEqual(["tools/call echo"])
  await server.close()
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
}

function isListening(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const hear = (chunk: Buffer) => /port \d+/.test(chunk.toString()) && resolve()
    child.stdout?.on("data", hear)
    child.stderr?.on("data", hear)
  })
}
