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
  for (const places of opened.splice(0)) places.close()
  vi.useRealTimers()
  await closeAll()
})

const nobodyThere: Upstream["link"] = () => Promise.reject(new LinkError("unreachable", "not here"))

const refused: Reply = { kind: "error", error: { code: -32601, message: "no" } }

/** Places of a legacy server, which nobody can reach unless it is said how. */
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
  const places = createServerConnections({
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
  })
  opened.push(places)
  return places
}

const program = fileURLToPath(new URL("../upstream/fixtures/faulty-stdio.ts", import.meta.url))
const started = {
  command: process.execPath,
  args: [program, "/dev/null"],
  env: new Map(Object.entries(compileCache)),
  cwd: "/",
}
const faulty = { kind: "stdio", ...started } as const

const count = (places: ServerConnections): number => [...places.all()].length

describe("connections of one agent", () => {
  it("are bounded, whatever it says it can do: the longest idle one goes, and others' stay", () => {
    const places = open()
    const other = modernCaller({ principal: { id: "other" }, conversation: "o", abilities: { elicitation: {} } })
    const theirs = places.of(other)
    for (let n = 0; n < 1_000; n += 1) places.of(modernCaller({ abilities: { elicitation: { n } } }))
    expect(count(places)).toBeLessThanOrEqual(17)
    expect(places.of(other)).toBe(theirs)
  })

  it("that are all in use let no further one in", () => {
    const places = open()
    const many = () => {
      for (let n = 0; n < 1_000; n += 1)
        places.of(legacyCaller({ conversation: `c${n}`, abilities: { roots: {} } })).use("agent")
    }
    expect(many).toThrow(/in use/)
    expect(count(places)).toBe(16)
  })

  it("I3: that others could share count too, and take none of the others' places", () => {
    const places = open()
    const abilities = { experimental: { ours: {} } }
    const both = places.of(legacyCaller({ abilities }))
    const other = legacyCaller({ principal: { id: "other" }, conversation: "o", abilities })
    expect(places.of(other)).toBe(both)
    for (let n = 0; n < 1_000; n += 1) {
      const declared = n % 2 === 0 ? { experimental: { n } } : { roots: {} }
      places.of(legacyCaller({ conversation: `c${n}`, abilities: declared }))
    }
    expect(count(places)).toBe(17)
    expect(places.of(other)).toBe(both)
    const late = places.of({ ...other, abilities: { experimental: { late: {} } } })
    expect(JSON.parse(late.key)).toContainEqual({ experimental: { late: {} } })
  })

  it("I3: that are being opened are in use", async () => {
    const places = open(undefined, () => new Promise(() => {}))
    const many = () => {
      for (let n = 0; n < 1_000; n += 1) void places.of(modernCaller({ abilities: { elicitation: { n } } })).link()
    }
    expect(many).toThrow(/in use/)
    expect(count(places)).toBe(16)
  })
})

describe("a place", () => {
  const abilities = { elicitation: {} }

  it("I1, I2: of a client that may be asked is no other conversation's, though both declare the very same", () => {
    const places = open()
    const [one, other] = [legacyCaller({ abilities }), legacyCaller({ abilities, conversation: "c2" })]
    const mine = places.of(one)
    expect(places.of(other)).not.toBe(mine)
    expect([mine.owner, places.of(other).owner]).toEqual(["c1", "c2"])
    expect(places.of(legacyCaller({ abilities }))).toBe(mine)
  })

  it("is shared by those who can be asked nothing", () => {
    const places = open()
    expect(places.of(legacyCaller({ conversation: "c2" }))).toBe(places.of(legacyCaller()))
    expect(places.of(legacyCaller()).owner).toBeNull()
  })

  it("I5: by what a client declares ends minutes after it was last used; one of no such words stays, and so does one in use", () => {
    vi.useFakeTimers({ toFake: ["setInterval"] })
    let time = 0
    const places = open(() => time)
    const [shared, idle, used] = [{}, abilities, abilities, { experimental: {} }].map((declared, at) =>
      places.of(legacyCaller({ abilities: declared, conversation: `c${at}` })),
    )
    used?.use("agent")
    time = defaultTimes.ownConnectionMs + 1
    vi.advanceTimersByTime(60_000)
    expect([...places.all()].map(({ key }) => key)).toEqual([shared?.key, used?.key])
    expect(places.of(legacyCaller({ abilities, conversation: "c1" }))).not.toBe(idle)
  })

  it("I5: for an older revision of the protocol ends minutes after it was last used, with its process", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] })
    let time = 0
    const upstream = tryUpstream(faulty)
    const places = open(() => time, upstream.link)
    const common = places.common()
    await common.link()
    await places.of(legacyCaller({ version: "2025-06-18" })).link()
    expect(upstream.health().links).toBe(2)
    time = defaultTimes.ownConnectionMs + 1
    vi.advanceTimersByTime(60_000)
    expect([...places.all()]).toEqual([common])
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
    const places = open()
    const [one, other] = [legacyCaller({ abilities }), legacyCaller({ abilities, conversation: "c2" })]
    const [mine, theirs] = [places.of(one), places.of(other)]
    places.leave(one, "over")
    expect(places.of(other)).toBe(theirs)
    expect(places.of(one)).not.toBe(mine)
  })

  it("I4: of a conversation that is only forgotten stays while something runs on it, and ends otherwise", () => {
    const places = open()
    const caller = legacyCaller({ abilities })
    const mine = places.of(caller)
    const done = mine.use("agent")
    places.leave(caller, "idle")
    expect(places.of(caller)).toBe(mine)
    done()
    places.leave(caller, "idle")
    expect(places.of(caller)).not.toBe(mine)
  })

  it("I6: that was given up and is used once more counts and ends like any other", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] })
    let time = 0
    const places = open(() => time)
    const caller = legacyCaller({ abilities })
    const place = places.of(caller)
    const pass = (): void => {
      time += defaultTimes.ownConnectionMs + 1
      vi.advanceTimersByTime(60_000)
    }
    pass()
    expect(count(places)).toBe(0)
    await expect(place.link()).rejects.toThrow("not here")
    expect([...places.all()]).toEqual([places.of(caller)])
    pass()
    expect(count(places)).toBe(0)
    for (let n = 0; n < 16; n += 1) places.of(legacyCaller({ conversation: `d${n}`, abilities })).use("agent")
    await expect(place.link()).rejects.toThrow(/in use/)
  })

  it("I4: whose conversation is over before its connection is open leaves no process behind", async () => {
    const upstream = tryUpstream(faulty)
    const places = open(undefined, upstream.link)
    const caller = legacyCaller({ abilities })
    const opening = places.of(caller).link()
    places.leave(caller, "over")
    await expect(opening).rejects.toThrow("over before")
    expect(upstream.health().links).toBe(0)
  })
})
