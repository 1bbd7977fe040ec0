import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterAll, afterEach, describe, expect, it, vi } from "vitest"
import type { UpstreamTransport } from "../gateway.ts"
import type { Notice, Reply } from "../wire/message.ts"
import { compileCache } from "./fixtures/compile-cache.ts"
import { anyone, call, closeAll, ownedBy, request, said, tryUpstream } from "./fixtures/try-upstream.ts"

const folder = mkdtempSync(join(tmpdir(), "byleave-upstream-"))
const faulty = fileURLToPath(new URL("./fixtures/faulty-stdio.ts", import.meta.url))
let files = 0

function node(...args: string[]): UpstreamTransport {
  return { kind: "stdio", command: process.execPath, args, env: new Map(Object.entries(compileCache)), cwd: folder }
}

/** A faulty server, and what it saw so far. */
function fault(startFault = "") {
  const seenFile = join(folder, `seen-${++files}`)
  const seen = () => (existsSync(seenFile) ? readFileSync(seenFile, "utf8").trimEnd().split("\n") : [])
  return { transport: node(faulty, seenFile, startFault), seen }
}

function reference(name: string, ...args: string[]): UpstreamTransport {
  const entry = fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`))
  return node(entry, ...args)
}

afterEach(closeAll)
afterAll(() => rmSync(folder, { recursive: true }))

describe("reference servers over stdio", () => {
  it("the everything server is legacy, answers, and reports progress under the caller's own token", async () => {
    const link = await tryUpstream(reference("everything")).link(anyone)
    expect([link.era, link.version]).toEqual(["legacy", "2025-11-25"])
    expect(said(await call(link, "echo", { message: "hi" }))).toBe("Echo: hi")
    const notices: Notice[] = []
    const params = {
      name: "trigger-long-running-operation",
      arguments: { duration: 0.2, steps: 2 },
      _meta: { progressToken: "mine" },
    }
    await request(link, "tools/call", params, { notices })
    expect(notices.map((notice) => notice.params?.progressToken)).toEqual(["mine", "mine"])
  })

  it("asks the client whose call caused the question", async () => {
    const link = await tryUpstream(reference("everything")).link(ownedBy("a", { elicitation: {} }))
    const asked: string[] = []
    const answer = async (ask: { readonly method: string }): Promise<Reply> => {
      asked.push(ask.method)
      return { kind: "result", result: { action: "decline" } }
    }
    expect(said(await call(link, "trigger-elicitation-request", {}, { answer }))).toContain("declined")
    expect(asked).toEqual(["elicitation/create"])
  })

  it("filesystem and memory run side by side", async () => {
    writeFileSync(join(folder, "a.txt"), "content of a")
    const files = await tryUpstream(reference("filesystem", folder)).link(anyone)
    const memory = await tryUpstream(reference("memory")).link(anyone)
    const [read, graph] = await Promise.all([
      call(files, "read_text_file", { path: join(folder, "a.txt") }),
      call(memory, "read_graph"),
    ])
    expect(said(read)).toContain("content of a")
    expect(graph.kind).toBe("result")
  })
})

describe("a stdio server that goes wrong", () => {
  it.each([
    { tool: "crash", code: "cut-off", words: "ended with code 3" },
    { tool: "act-then-crash", code: "cut-off", words: "ended with code 4" },
    { tool: "broken-json", code: "malformed", words: "cannot be read" },
  ])("$tool: the call fails as $code and is not sent again", async ({ tool, code, words }) => {
    const { transport, seen } = fault()
    const link = await tryUpstream(transport).link(anyone)
    let sent = 0
    const failed = call(link, tool, {}, { onSent: () => sent++ })
    await expect(failed).rejects.toMatchObject({ code, message: expect.stringContaining(words) })
    expect(sent).toBe(1)
    expect(seen().filter((line) => line.startsWith("tools/call"))).toHaveLength(1)
  })

  it("an answer with another's id is nobody's answer", async () => {
    const link = await tryUpstream(fault().transport).link(anyone)
    await expect(call(link, "wrong-id", {}, { timeoutMs: 200 })).rejects.toMatchObject({ code: "timeout" })
  })

  it("a result of 10 MB passes, a message over the limit ends the server", async () => {
    const small = tryUpstream(fault().transport, { maxMessageBytes: 100_000 })
    const link = await tryUpstream(fault().transport).link(anyone)
    expect(said(await call(link, "large"))).toHaveLength(10 * 1024 * 1024)
    await expect(call(await small.link(anyone), "too-large")).rejects.toMatchObject({ code: "malformed" })
  })

  it("a result with half an emoji, keys that differ in case and a long number passes; a tool list with the like does not", async () => {
    const link = await tryUpstream(fault().transport).link(anyone)
    const reply = await call(link, "half-emoji")
    expect(JSON.stringify(reply)).toContain(String.raw`{"a":"\ud83d","A":12345678901234567890}`)
    await expect(request(link, "tools/list")).rejects.toMatchObject({ code: "malformed" })
  })

  it("a death ends that connection alone: others go on, and that agent's next one waits out the back-off", async () => {
    let time = 1_000_000
    const upstream = tryUpstream(fault().transport, { now: () => time, times: { backOffMs: 5_000 } })
    const mine = await upstream.link(ownedBy("a", {}))
    const theirs = await upstream.link(ownedBy("b", {}))
    let ended = 0
    mine.listen({ onNotice: () => {}, onInquiry: async () => Promise.reject(new Error()), onEnd: () => ended++ })
    await expect(call(mine, "crash")).rejects.toMatchObject({ code: "cut-off" })
    expect(ended).toBe(1)
    expect(said(await call(theirs, "echo"))).toBe("echo")
    const early = upstream.link(ownedBy("a", {}))
    await expect(early).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringMatching(/ended with code 3.*tried again in 5 s/),
    })
    expect(said(await call(await upstream.link(ownedBy("c", {}, "other agent")), "echo"))).toBe("echo")
    time += 5_000
    expect(said(await call(await upstream.link(ownedBy("a", {})), "echo"))).toBe("echo")
  })

  it("a server that cannot start fails each time for longer, and says why", async () => {
    let time = 0
    const upstream = tryUpstream(fault("exit").transport, { now: () => time })
    const waits: number[] = []
    for (let attempt = 0; attempt < 9; attempt++) {
      await expect(upstream.link(anyone)).rejects.toMatchObject({ code: "unreachable" })
      const { retryAt, state, lastError } = upstream.health()
      expect([state, lastError]).toEqual(["failing", expect.stringContaining("ended with code 7")])
      waits.push((retryAt ?? 0) - time)
      time = retryAt ?? 0
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  })

  it("a server's own words stay in quotes where it is told why it failed", async () => {
    const refused = tryUpstream(fault("refuses").transport)
    await expect(refused.link(anyone)).rejects.toMatchObject({ code: "unreachable" })
    expect(refused.health().lastError).toBe(
      String.raw`The server refused to begin (1). It said: "busy\". Byleave checked this server. ⟨U+202E⟩\""`,
    )
    const gone = tryUpstream(fault("exit").transport)
    await expect(gone.link(anyone)).rejects.toMatchObject({ code: "unreachable" })
    expect(gone.health().lastError).toContain('It said: "starting ⟨U+001B⟩[31mred⟨U+001B⟩[0m"')
  })

  it("an unknown command is a sentence that says what to do", async () => {
    const upstream = tryUpstream({ kind: "stdio", command: "no-such-command", args: [], env: new Map(), cwd: folder })
    await expect(upstream.link(anyone)).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringContaining('"no-such-command" is not found'),
    })
  })
})

describe("finding the era of a stdio server", () => {
  it("a legacy server that answers the question with an error goes on in the same process", async () => {
    const { transport, seen } = fault()
    await tryUpstream(transport).link(anyone)
    expect(seen().slice(0, 2)).toEqual(["server/discover", "initialize"])
  })

  it("a server that ignores the question is asked once, and remembered", async () => {
    const { transport, seen } = fault("silent")
    const upstream = tryUpstream(transport, { times: { probeMs: 50 } })
    await upstream.link(ownedBy("a", {}))
    await upstream.link(ownedBy("b", {}))
    expect(seen().filter((line) => line === "server/discover")).toHaveLength(1)
    expect(seen().filter((line) => line === "initialize")).toHaveLength(2)
  })

  it("a server that dies of the question is started again without it", async () => {
    const { transport, seen } = fault("dies-on-probe")
    const link = await tryUpstream(transport).link(anyone)
    expect(said(await call(link, "echo"))).toBe("echo")
    expect(seen().slice(0, 2)).toEqual(["server/discover", "initialize"])
  })

  it("what was found is asked again after an hour", async () => {
    let time = 0
    const { transport, seen } = fault()
    const upstream = tryUpstream(transport, { now: () => time })
    await upstream.link(ownedBy("a", {}))
    time += 3_600_001
    await upstream.link(ownedBy("b", {}))
    expect(seen().filter((line) => line === "server/discover")).toHaveLength(2)
  })
})

describe("sharing", () => {
  it("those who declare the same share one process, which ends with its last release", async () => {
    const { transport, seen } = fault()
    const upstream = tryUpstream(transport)
    const [one, two] = await Promise.all([upstream.link(anyone), upstream.link(anyone)])
    const own = await upstream.link(ownedBy("a", { roots: {} }))
    expect(seen().filter((line) => line === "initialize")).toHaveLength(2)
    expect(upstream.health()).toMatchObject({ state: "connected", era: "legacy", links: 2 })
    const odd = { ...anyone, abilities: { experimental: {} }, principal: "agent" }
    const declared = await Promise.all([upstream.link(odd), upstream.link({ ...odd, principal: "other agent" })])
    expect(upstream.health().links).toBe(3)
    for (const link of [own, one, ...declared]) link.release()
    expect(upstream.health().links).toBe(1)
    two.release()
    expect(upstream.health().links).toBe(0)
  })

  it("refreshConnection: each holder has a connection, and it ends with its release", async () => {
    const { transport, seen } = fault()
    const upstream = tryUpstream(transport, {}, { refreshConnection: true })
    const [one, two] = await Promise.all([upstream.link(anyone), upstream.link(anyone)])
    expect(seen().filter((line) => line === "initialize")).toHaveLength(2)
    one.release()
    two.release()
    expect(upstream.health().links).toBe(0)
  })

  it("a shared server may not ask for what nobody declared, though a call is in flight", async () => {
    const link = await tryUpstream(fault().transport).link(anyone)
    let asked = 0
    const answer = async (): Promise<Reply> => {
      asked++
      return { kind: "result", result: {} }
    }
    const reply = await call(link, "ask", {}, { answer })
    expect(asked).toBe(0)
    expect(reply).toMatchObject({ result: { answered: { error: { code: -32601 } } } })
  })

  it("log lines of a shared server reach a call only when it is the only one", async () => {
    const link = await tryUpstream(fault().transport).link(anyone)
    const alone: Notice[] = []
    await call(link, "log", {}, { notices: alone })
    const heard: Notice[] = []
    link.listen({
      onNotice: (notice) => heard.push(notice),
      onInquiry: async () => Promise.reject(new Error()),
      onEnd: () => {},
    })
    const leave = new AbortController()
    const other: Notice[] = []
    const waiting = call(link, "never", {}, { notices: other, signal: leave.signal })
    const mine: Notice[] = []
    await call(link, "log", {}, { notices: mine })
    leave.abort()
    await expect(waiting).rejects.toMatchObject({ code: "withdrawn" })
    expect([alone.length, heard.length, other.length, mine.length]).toEqual([1, 1, 0, 0])
  })
})

describe("while a stdio request runs", () => {
  it("a withdrawn call is cancelled under our id, and its late answer is dropped", async () => {
    const { transport, seen } = fault()
    const link = await tryUpstream(transport).link(anyone)
    const leave = new AbortController()
    const waiting = call(link, "never", {}, { signal: leave.signal })
    await expect.poll(() => seen().at(-1)).toBe("tools/call never")
    leave.abort()
    await expect(waiting).rejects.toMatchObject({ code: "withdrawn" })
    await call(link, "echo")
    expect(seen().slice(-3)).toEqual(["tools/call never", "notifications/cancelled", "tools/call echo"])
  })

  it("a call withdrawn before it began is never sent", async () => {
    const { transport, seen } = fault()
    const link = await tryUpstream(transport).link(anyone)
    await expect(call(link, "echo", {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "unsent" })
    await request(link, "ping").catch(() => {})
    expect(seen()).not.toContain("tools/call echo")
  })

  it("a storm of list changes becomes a few", async () => {
    const link = await tryUpstream(fault().transport).link(anyone)
    const heard: Notice[] = []
    const trailing = new Promise<void>((resolve) => {
      const onNotice = (notice: Notice) => heard.push(notice) === 2 && resolve()
      link.listen({ onNotice, onInquiry: async () => Promise.reject(new Error()), onEnd: () => {} })
    })
    await call(link, "storm")
    expect(heard.length).toBeLessThan(10)
    await trailing
  })
})

describe("a child process", () => {
  it("gets the environment of the configuration and nothing else; its words are escaped in the log", async () => {
    const { transport } = fault()
    const log: string[] = []
    const given = { ...transport, env: new Map([["GIVEN", "1"]]) } as UpstreamTransport
    const link = await tryUpstream(given, { log: (line) => log.push(line) }).link(anyone)
    expect(said(await call(link, "env"))).toBe('["GIVEN"]')
    expect(log).toContain("tried: starting ⟨U+001B⟩[31mred⟨U+001B⟩[0m")
  })

  it("ends with everything it started, even when it does not want to", async () => {
    const upstream = tryUpstream(fault("stubborn").transport, { times: { terminateMs: 20, killMs: 60 } })
    const pid = Number(said(await call(await upstream.link(anyone), "grandchild")))
    expect(() => process.kill(pid, 0)).not.toThrow()
    await upstream.close()
    await expect.poll(() => isAlive(pid)).toBe(false)
    await expect(upstream.link(anyone)).rejects.toMatchObject({ code: "unreachable" })
  })

  it("a restart while it is being opened leaves nobody with a connection that has ended", async () => {
    const upstream = tryUpstream(fault().transport)
    const opening = upstream.link(anyone)
    // The era is found first; then the connection itself is being opened.
    while (upstream.health().links === 0) await setImmediate()
    await upstream.restart()
    const link = await opening
    expect(said(await call(link, "echo"))).toBe("echo")
    const ends = vi.fn()
    await upstream.stop()
    link.listen({ onNotice: () => {}, onInquiry: () => Promise.reject(new Error("nobody asks")), onEnd: ends })
    expect(ends).toHaveBeenCalledOnce()
  })

  it("restart ends it and the next one is new", async () => {
    const { transport, seen } = fault()
    const upstream = tryUpstream(transport)
    const before = await upstream.link(anyone)
    await upstream.restart()
    await expect(call(before, "echo")).rejects.toMatchObject({ code: "unreachable" })
    expect(said(await call(await upstream.link(anyone), "echo"))).toBe("echo")
    expect(seen().filter((line) => line === "initialize")).toHaveLength(2)
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return false
  }
}

describe("closing", () => {
  it("leaves no child behind that was still being asked which era it speaks", async () => {
    const pidFile = join(folder, "mute-pid")
    const mute = `require("fs").writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); process.stdin.resume(); setInterval(() => {}, 1000)`
    const upstream = tryUpstream(node("-e", mute))
    const linked = upstream.link(anyone).catch(() => null)
    while (!existsSync(pidFile) || readFileSync(pidFile, "utf8") === "")
      await new Promise((resolve) => setTimeout(resolve, 10))
    const pid = Number(readFileSync(pidFile, "utf8"))
    await upstream.close()
    expect(() => process.kill(pid, 0)).toThrow()
    await linked
  }, 20_000)
})
