import { afterEach, describe, expect, it } from "vitest"
import { defaultTimes } from "../hold/context.ts"
import { LinkError, type Upstream } from "../upstream/link.ts"
import { legacyCaller, modernCaller } from "./fixtures/open-relay.ts"
import { createPlaces, type Places } from "./places.ts"
import { createServerTools } from "./server-tools.ts"

const opened: Places[] = []
afterEach(() => {
  for (const places of opened.splice(0)) places.close()
})

/** Places of a legacy server that nobody has reached yet. */
function open(): Places {
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
    link: () => Promise.reject(new LinkError("unreachable", "not here")),
    health: () => health,
    era: () => health.era,
    restart: async () => {},
    stop: async () => {},
    close: async () => {},
  }
  let time = 0
  const places = createPlaces({
    upstream,
    serverTools: createServerTools("two", { seeTools: async () => {} }),
    refresh: false,
    times: defaultTimes,
    now: () => time++,
    log: () => {},
    mayHear: async () => true,
    judged: async () => ({ kind: "error", error: { code: -32601, message: "no" } }),
  })
  opened.push(places)
  return places
}

const count = (places: Places): number => [...places.all()].length

describe("connections of one agent", () => {
  it("are bounded, whatever it says it can do: the longest idle one goes, and others' stay", () => {
    const places = open()
    const other = modernCaller({ principal: { id: "other" }, conversation: "o", abilities: { elicitation: {} } })
    const theirs = places.of(other)
    for (let n = 0; n < 1_000; n += 1) places.of(modernCaller({ abilities: { elicitation: { n } } }))
    expect(count(places)).toBeLessThan(200)
    expect(places.of(other)).toBe(theirs)
  })

  it("that are all in use let no further one in", () => {
    const places = open()
    const many = () => {
      for (let n = 0; n < 1_000; n += 1)
        places.of(legacyCaller({ conversation: `c${n}`, abilities: { roots: {} } })).use("agent")
    }
    expect(many).toThrow(/in use/)
    expect(count(places)).toBeLessThan(200)
  })

  it("that are shared are bounded too: odd abilities are left out once there are many", () => {
    const places = open()
    for (let n = 0; n < 1_000; n += 1) places.of(legacyCaller({ abilities: { experimental: { n } } }))
    expect(count(places)).toBeLessThan(100)
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

  it("I4: ends with the conversation it belongs to, and with no other", () => {
    const places = open()
    const [one, other] = [legacyCaller({ abilities }), legacyCaller({ abilities, conversation: "c2" })]
    const [mine, theirs] = [places.of(one), places.of(other)]
    places.leave(one)
    expect(places.of(other)).toBe(theirs)
    expect(places.of(one)).not.toBe(mine)
  })
})
