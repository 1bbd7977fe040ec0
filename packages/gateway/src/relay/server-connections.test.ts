import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it, vi } from "vitest"
import { defaultTimes } from "../hold/context.ts"
import { compileCache } from "../upstream/fixtures/compile-cache.ts"
import { closeAll, tryUpstream } from "../upstream/fixtures/try-upstream.ts"
import { type Link, LinkError, type LinkListener, type Upstream } from "../upstream/link.ts"
import type { Reply } from "../wire/message.ts"
import { legacyCaller, modernCaller } from "./fixtures/open-relay.ts"
import { createServerConnections, type ServerConnections, type ServerConnectionsPorts } from "./server-connections.ts"
import { defaultToolListLimits } from "./tools/read-tools.ts"
import { createServerTools } from "./tools/server-tools.ts"

const opened: ServerConnections[] = []
afterEach(async () => {
  for (const connections of opened.splice(0)) connections.close()
  vi.useRealTimers()
  await closeAll()
})

const nobodyThere: Upstream["link"] = () => Promise.reject(new LinkError("unreachable", "not here"))

const refused: Reply = { kind: "error", error: { code: -32601, message: "no" } }

/** Connections to a legacy server, which nobody can reach unless it is said how. */
function open(
  now?: () => number,
  link = nobodyThere,
  judged: ServerConnectionsPorts["judged"] = async () => refused,
): ServerConnections {
  const health = {
    state: "idle",
    era: "legacy",
    lastConnectedAt: null,
    lastError: null,
    retryAt: null,
    links: 0,
  } as const
  const upstream: Upstream = {
    id: "two",
    link,
    inTurn: (_asked, send) => send(),
    health: () => health,
    era: () => health.era,
    restart: async () => {},
    stop: async () => {},
    close: async () => {},
  }
  let time = 0
  const connections = createServerConnections({
    upstream,
    serverTools: createServerTools("two", { seeTools: async () => {}, offeredTools: async (_server, tools) => tools }),
    limits: defaultToolListLimits,
    refresh: false,
    isProcess: true,
    times: defaultTimes,
    now: now ?? (() => time++),
    log: () => {},
    mayHear: async () => true,
    named: (_caller, _owner, notice) => notice,
    judged,
    standing: () => ({ isThere: () => false, inquire: async () => refused }),
  })
  opened.push(connections)
  return connections
}

const program = fileURLToPath(new URL("../upstream/fixtures/faulty-stdio.ts", import.meta.url))
const started = {
  command: process.execPath,
  args: [program, "/dev/null"],
  env: new Map(Object.entries(compileCache)),
  cwd: "/",
}
const faulty = { kind: "stdio", ...started } as const

const count = (connections: ServerConnections): number => [...connections.all()].length

describe("connections of one agent", () => {
  it("are bounded, whatever it says it can do: the longest idle one goes, and others' stay", () => {
    const connections = open()
    const other = modernCaller({ principal: { id: "other" }, conversation: "o", abilities: { elicitation: {} } })
    const theirs = connections.of(other)
    for (let n = 0; n < 1_000; n += 1) connections.of(modernCaller({ abilities: { elicitation: { n } } }))
    expect(count(connections)).toBeLessThanOrEqual(17)
    expect(connections.of(other)).toBe(theirs)
  })

  it("that are all in use let no further one in", () => {
    const connections = open()
    const many = () => {
      for (let n = 0; n < 1_000; n += 1)
        connections.of(legacyCaller({ conversation: `c${n}`, abilities: { roots: {} } })).use("agent")
    }
    expect(many).toThrow(/in use/)
    expect(count(connections)).toBe(16)
  })

  it("I3: that others could share count too, and take none of the others' connections", () => {
    const connections = open()
    const abilities = { experimental: { ours: {} } }
    const both = connections.of(legacyCaller({ abilities }))
    const other = legacyCaller({ principal: { id: "other" }, conversation: "o", abilities })
    expect(connections.of(other)).toBe(both)
    for (let n = 0; n < 1_000; n += 1) {
      const declared = n % 2 === 0 ? { experimental: { n } } : { roots: {} }
      connections.of(legacyCaller({ conversation: `c${n}`, abilities: declared }))
    }
    expect(count(connections)).toBe(17)
    expect(connections.of(other)).toBe(both)
    const late = connections.of({ ...other, abilities: { experimental: { late: {} } } })
    expect(JSON.parse(late.key)).toContainEqual({ experimental: { late: {} } })
  })

  it("I3: that are being opened are in use", async () => {
    const connections = open(undefined, () => new Promise(() => {}))
    const many = () => {
      for (let n = 0; n < 1_000; n += 1) void connections.of(modernCaller({ abilities: { elicitation: { n } } })).link()
    }
    expect(many).toThrow(/in use/)
    expect(count(connections)).toBe(16)
  })
})

describe("a connection", () => {
  const abilities = { elicitation: {} }

  it("I1, I2: of a client that may be asked is no other conversation's, though both declare the very same", () => {
    const connections = open()
    const [one, other] = [legacyCaller({ abilities }), legacyCaller({ abilities, conversation: "c2" })]
    const mine = connections.of(one)
    expect(connections.of(other)).not.toBe(mine)
    expect([mine.owner, connections.of(other).owner]).toEqual(["c1", "c2"])
    expect(connections.of(legacyCaller({ abilities }))).toBe(mine)
  })

  it("is shared by those who can be asked nothing", () => {
    const connections = open()
    expect(connections.of(legacyCaller({ conversation: "c2" }))).toBe(connections.of(legacyCaller()))
    expect(connections.of(legacyCaller()).owner).toBeNull()
  })

  it("I5: by what a client declares ends minutes after it was last used; one of no such words stays, and so does one in use", () => {
    vi.useFakeTimers({ toFake: ["setInterval"] })
    let time = 0
    const connections = open(() => time)
    const [shared, idle, used] = [{}, abilities, abilities, { experimental: {} }].map((declared, at) =>
      connections.of(legacyCaller({ abilities: declared, conversation: `c${at}` })),
    )
    used?.use("agent")
    time = defaultTimes.ownConnectionMs + 1
    vi.advanceTimersByTime(60_000)
    expect([...connections.all()].map(({ key }) => key)).toEqual([shared?.key, used?.key])
    expect(connections.of(legacyCaller({ abilities, conversation: "c1" }))).not.toBe(idle)
  })

  it("I5: for an older revision of the protocol ends minutes after it was last used, with its process", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] })
    let time = 0
    const upstream = tryUpstream(faulty)
    const connections = open(() => time, upstream.link)
    const common = connections.common()
    await common.link()
    await connections.of(legacyCaller({ version: "2025-06-18" })).link()
    expect(upstream.health().links).toBe(2)
    time = defaultTimes.ownConnectionMs + 1
    vi.advanceTimersByTime(60_000)
    expect([...connections.all()]).toEqual([common])
    expect(upstream.health().links).toBe(1)
  })

  it("I7: knows whose a question outside any request is only as long as one session uses it", async () => {
    const listeners: LinkListener[] = []
    const link = {
      era: "legacy",
      hello: {},
      listen: (listener: LinkListener) => listeners.push(listener),
      want: () => {},
      release: () => {},
      continuity: () => "bound",
    } as unknown as Link
    const judgedAs: Array<string | null> = []
    const places = open(
      undefined,
      async () => link,
      async (caller) => {
        judgedAs.push(caller?.session.id ?? null)
        return refused
      },
    )
    const callerIn = (id: string) =>
      legacyCaller({ abilities: { roots: {} }, session: { principal: "agent", id, named: true } })
    await places.of(callerIn("one")).link()
    await listeners[0]?.onInquiry({ method: "roots/list" })
    expect(places.of(callerIn("two"))).toBe(places.of(callerIn("one")))
    await listeners[0]?.onInquiry({ method: "roots/list" })
    expect(judgedAs).toEqual(["one", null])
  })

  it("I4: ends with the conversation it belongs to, and with no other", () => {
    const connections = open()
    const [one, other] = [legacyCaller({ abilities }), legacyCaller({ abilities, conversation: "c2" })]
    const [mine, theirs] = [connections.of(one), connections.of(other)]
    connections.leave(one, "over")
    expect(connections.of(other)).toBe(theirs)
    expect(connections.of(one)).not.toBe(mine)
  })

  it("I4: of a conversation that is only forgotten stays while something runs on it, and ends otherwise", () => {
    const connections = open()
    const caller = legacyCaller({ abilities })
    const mine = connections.of(caller)
    const done = mine.use("agent")
    connections.leave(caller, "idle")
    expect(connections.of(caller)).toBe(mine)
    done()
    connections.leave(caller, "idle")
    expect(connections.of(caller)).not.toBe(mine)
  })

  it("I6: that was given up and is used once more counts and ends like any other", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] })
    let time = 0
    const connections = open(() => time)
    const caller = legacyCaller({ abilities })
    const connection = connections.of(caller)
    const pass = (): void => {
      time += defaultTimes.ownConnectionMs + 1
      vi.advanceTimersByTime(60_000)
    }
    pass()
    expect(count(connections)).toBe(0)
    await expect(connection.link()).rejects.toThrow("not here")
    expect([...connections.all()]).toEqual([connections.of(caller)])
    pass()
    expect(count(connections)).toBe(0)
    for (let n = 0; n < 16; n += 1) connections.of(legacyCaller({ conversation: `d${n}`, abilities })).use("agent")
    await expect(connection.link()).rejects.toThrow(/in use/)
  })

  it("I4: whose conversation is over before its connection is open leaves no process behind", async () => {
    const upstream = tryUpstream(faulty)
    const connections = open(undefined, upstream.link)
    const caller = legacyCaller({ abilities })
    const opening = connections.of(caller).link()
    connections.leave(caller, "over")
    await expect(opening).rejects.toThrow("over before")
    expect(upstream.health().links).toBe(0)
  })
})
