import { afterEach, describe, expect, it } from "vitest"
import type { Link } from "../upstream/link.ts"
import { ask, legacyCaller, openRelay, type Relay, resultOf } from "./fixtures/open-relay.ts"
import { twoEra } from "./fixtures/two-era.ts"
import { beginSubscribing, tellWants } from "./tell-wants.ts"

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
  /** Whatever the server was told of these, in its order: `+` subscribe, `-` unsubscribe. */
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
    told.push(`${method === "resources/subscribe" ? "+" : "-"}${String(params?.uri)}`)
    return new Promise((resolve) => answers.push(() => resolve({ kind: "result", result: {} })))
  }
  const answer = async (): Promise<void> => {
    answers.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { link: { era: "legacy", request } as Link, told, answer }
}

function wanting(resources: Set<string>) {
  return { wants: () => ({ lists: new Set<string>(), resources: new Set(resources) }), level: () => null }
}

describe("what is told to a slow legacy server", () => {
  it("I1: is one thing at a time, and goes by what is wanted by then", async () => {
    const { link, told, answer } = slowLink()
    const resources = new Set(["a"])
    const telling = [tellWants(link, wanting(resources))]
    resources.add("b")
    telling.push(tellWants(link, wanting(resources)))
    await new Promise((resolve) => setImmediate(resolve))
    expect(told).toEqual(["+a"])
    await answer()
    expect(told).toEqual(["+a", "+b"])
    resources.add("c").delete("b")
    for (let step = 0; step < 5; step += 1) await answer()
    await Promise.all(telling)
    expect(told).toEqual(["+a", "+b", "+c", "-b"])
  })

  it("I2: is not what a client's own request told it, unless it may have been undone meanwhile", async () => {
    const { link, told, answer } = slowLink()
    const resources = new Set(["a"])
    beginSubscribing(link)("a")
    await tellWants(link, wanting(resources))
    expect(told).toEqual([])
    const took = beginSubscribing(link)
    resources.delete("a")
    const leaving = tellWants(link, wanting(resources))
    await answer()
    await answer()
    await leaving
    took("a")
    resources.add("a")
    const again = tellWants(link, wanting(resources))
    await answer()
    await answer()
    await again
    expect(told).toEqual(["-a", "+a"])
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
})
