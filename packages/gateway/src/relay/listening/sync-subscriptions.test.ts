import { afterEach, describe, expect, it } from "vitest"
import type { Link } from "../../upstream/link.ts"
import {
  ask,
  callOf,
  legacyCaller,
  modernCaller,
  openRelay,
  policyOf,
  type Relay,
  resultOf,
  rule,
} from "../fixtures/open-relay.ts"
import { scripted } from "../fixtures/scripted.ts"
import { twoEra } from "../fixtures/two-era.ts"
import { beginSubscribing, tellLevel, tellResources } from "./sync-subscriptions.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

async function open() {
  const two = twoEra("legacy")
  const relay = await openRelay([two.server])
  opened.push(relay)
  const backend = relay.backend("two")
  const say = (what: "subscribe" | "unsubscribe", conversation: string, uri: string) =>
    resultOf(ask(backend, legacyCaller({ conversation }), { method: `resources/${what}`, params: { uri } }))
  /** The server's messages about these, in order: `+` subscribe, `-` unsubscribe. */
  const told = (): readonly string[] =>
    two.lines().flatMap((line) => {
      const { method, params } = JSON.parse(line) as { readonly method?: string; readonly params?: { uri?: string } }
      if (method === "resources/subscribe") return [`+${params?.uri}`]
      return method === "resources/unsubscribe" ? [`-${params?.uri}`] : []
    })
  return { say, told }
}

/** A connection whose server answers when it is told to. */
function slowLink() {
  const told: string[] = []
  const answers: Array<() => void> = []
  const request: Link["request"] = ({ ask: { method, params } }) => {
    told.push(
      method === "logging/setLevel"
        ? `=${String(params?.level)}`
        : `${method === "resources/subscribe" ? "+" : "-"}${String(params?.uri)}`,
    )
    return new Promise((resolve) => answers.push(() => resolve({ kind: "result", result: {} })))
  }
  const answer = async (): Promise<void> => {
    answers.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { link: { era: "legacy", request } as Link, told, answer }
}

function wanting(resources: Set<string>, level: string | null = null) {
  const wants = () => ({ lists: new Set<string>(), resources })
  return { wants, subscriptions: resources, level: () => level, onBehalf: () => ({}) }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe("what is told to a slow legacy server", () => {
  it("I1: is one thing at a time, and goes by what is wanted by then", async () => {
    const { link, told, answer } = slowLink()
    const resources = new Set(["a"])
    const telling = [tellResources(link, wanting(resources), ["a"], "ann")]
    resources.add("b")
    telling.push(tellResources(link, wanting(resources), ["b"], "ann"))
    await nextTurn()
    expect(told).toEqual(["+a"])
    await answer()
    expect(told).toEqual(["+a", "+b"])
    resources.add("c").delete("b")
    telling.push(tellResources(link, wanting(resources), ["b", "c"], "ann"))
    for (let step = 0; step < 5; step += 1) await answer()
    await Promise.all(telling)
    expect(told).toEqual(["+a", "+b", "-b", "+c"])
  })

  it("I1: is not what was wanted and is not any more when its turn comes", async () => {
    const { link, told, answer } = slowLink()
    const resources = new Set(["a", "b"])
    const telling = tellResources(link, wanting(resources), ["a", "b"], "ann")
    resources.delete("b")
    await tellResources(link, wanting(resources), ["b"], "ann")
    await answer()
    await telling
    expect(told).toEqual(["+a"])
  })

  it("I2: is not what a client's own request told it, unless it may have been undone meanwhile", async () => {
    const { link, told, answer } = slowLink()
    const resources = new Set(["a"])
    beginSubscribing(link)("a")
    await tellResources(link, wanting(resources), ["a"], "ann")
    expect(told).toEqual([])
    const took = beginSubscribing(link)
    resources.delete("a")
    const leaving = tellResources(link, wanting(resources), ["a"], "ann")
    await answer()
    await leaving
    took("a")
    resources.add("a")
    const again = tellResources(link, wanting(resources), ["a"], "ann")
    await answer()
    await again
    expect(told).toEqual(["-a", "+a"])
  })

  it("I3: is told of another principal's resource after one of each, and of a level at once", async () => {
    const { link, told, answer } = slowLink()
    const many = Array.from({ length: 100 }, (_, at) => `a${at}`)
    const resources = new Set(many)
    void tellResources(link, wanting(resources), many, "ann")
    resources.add("b")
    const bobs = tellResources(link, wanting(resources), ["b"], "bob")
    void tellLevel(link, wanting(resources, "debug"))
    await nextTurn()
    expect(told).toEqual(["+a0", "=debug"])
    for (let step = 0; step < 3; step += 1) await answer()
    await bobs
    expect(told).toEqual(["+a0", "=debug", "+b", "+a1"])
  })

  it("is looked up once for each resource, however many there are", async () => {
    const request: Link["request"] = async () => ({ kind: "result", result: {} })
    const link = { era: "legacy", request } as Link
    const uris = Array.from({ length: 1_000 }, (_, at) => `a${at}`)
    const all = new Set(uris)
    let asked = 0
    const has = (uri: string): boolean => {
      asked += 1
      return all.has(uri)
    }
    const wanted = { ...wanting(all), subscriptions: { has } }
    await tellResources(link, wanted, uris, "ann")
    expect(asked).toBeLessThanOrEqual(2 * uris.length)
  })
})

describe("a legacy server", () => {
  it("I2: gets a client's subscription once", async () => {
    const { say, told } = await open()
    await say("subscribe", "c1", "a://1")
    expect(told()).toEqual(["+a://1"])
    await say("unsubscribe", "c1", "a://1")
    expect(told()).toEqual(["+a://1", "-a://1"])
  })

  it("I1: is not told to drop what another client subscribes to at the same time", async () => {
    const { say, told } = await open()
    await say("subscribe", "c0", "a://0")
    const uris = Array.from({ length: 12 }, (_, at) => `a://par${at}`)
    await Promise.all(uris.map((uri, at) => say("subscribe", `c${at}`, uri)))
    expect(told().toSorted()).toEqual(["+a://0", ...uris.map((uri) => `+${uri}`)].toSorted())
  })

  it("I1, I2: is subscribed in the end, whoever else left the same resource meanwhile", async () => {
    const { say, told } = await open()
    await say("subscribe", "c1", "a://1")
    await Promise.all([say("subscribe", "c2", "a://1"), say("unsubscribe", "c1", "a://1")])
    await say("subscribe", "c2", "a://2")
    expect(told().findLast((line) => line.endsWith("a://1"))).toBe("+a://1")
  })

  it("runs calls while it has not answered what it was told of", async () => {
    const silent = scripted("legacy", {
      silent: { on: "resources/subscribe" },
      "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
      "tools/call": { content: [] },
    })
    const relay = await openRelay([silent.server], { policy: policyOf([rule("allow", "s(echo)")]) })
    opened.push(relay)
    const nothing = { notify: () => {}, inquire: () => Promise.reject(new Error("nobody")) }
    const wants = { lists: new Set<never>(), resources: new Set(["a://1", "a://2"]) }
    // Opens the connection that all of them share, and waits for the server's answer.
    void relay.backend("s").attend(modernCaller(), { ...nothing, wants })
    const level = { logLevel: "debug" }
    for (const caller of [legacyCaller({ conversation: "other" }), modernCaller({ conversation: "m2", ...level })])
      expect(await resultOf(ask(relay.backend("s"), caller, callOf("echo")))).toMatchObject({ content: [] })
    expect(silent.lines().filter((line) => line.includes("resources/subscribe"))).toHaveLength(1)
  })
})
