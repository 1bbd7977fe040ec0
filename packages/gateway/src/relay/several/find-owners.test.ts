import type { JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import type { Notice } from "../../wire/message.ts"
import { ask, legacyCaller, modernCaller, openRelay, policyOf, type Relay, resultOf } from "../fixtures/open-relay.ts"
import { plainServer } from "../fixtures/plain-server.ts"
import { type Scripted, scripted } from "../fixtures/scripted.ts"
import { createAggregateBackend } from "./aggregate-backend.ts"
import { comparing } from "./find-owners.ts"

const opened: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

async function open(servers: ReadonlyArray<Parameters<typeof openRelay>[0][number]>) {
  const relay: Relay = await openRelay(servers, { policy: policyOf([]) })
  opened.push(relay.close)
  return createAggregateBackend(relay.backends)
}

const nobody = async () => ({ kind: "error", error: { code: -32601, message: "no" } }) as const

describe("I1: while the server of a request is looked for", () => {
  const lists: Record<string, JsonObject> = {
    "resources/list": { resources: [] },
    "resources/templates/list": { resourceTemplates: [{ uriTemplate: "a://{x}", name: "a" }] },
    "prompts/list": { prompts: [{ name: "p" }] },
    "resources/read": { contents: [] },
    "prompts/get": { messages: [] },
  }
  const sent = ({ lines }: Scripted) => lines().filter((line) => line.includes("told to the owner alone"))

  it.each([
    { method: "resources/read", params: { uri: "a://1" } },
    { method: "prompts/get", params: { name: "owner__p" } },
  ])("$method tells no server what it says", async ({ method, params }) => {
    const other = scripted("legacy", { ...lists, "resources/templates/list": { resourceTemplates: [] } }, "other")
    const owner = scripted("legacy", lists, "owner")
    const all = await open([other.server, owner.server])
    const _meta = { vendor: "told to the owner alone" }
    await resultOf(ask(all, legacyCaller(), { method, params: { ...params, _meta } }))
    expect(sent(other)).toEqual([])
    expect(sent(owner).map((line) => JSON.parse(line).method)).toEqual([method])
  })
})

it("I2: others have their turn while an address is compared with long templates, and the work has an end", async () => {
  const template = (at: number) => `x:{p${at}}${"a".repeat(20)}b${"a".repeat(1_600)}{q}`
  const templates = Array.from({ length: 4_900 }, (_, at) => ({ server: "s", entry: { uriTemplate: template(at) } }))
  let turns = 0
  const compare = comparing(templates, async () => {
    turns += 1
  })
  expect(await compare(`x:${"a".repeat(8_000)}`)).toBeUndefined()
  expect(turns).toBeGreaterThan(20)
  for (let times = 0; times < 10; times += 1) await compare(`x:${"a".repeat(8_000)}`)
  expect(turns).toBeLessThan(101)
  expect(await compare("x:a")).toBeUndefined()
})

describe("aggregate I1: resources that a client listens to on the path of all servers", () => {
  it("are told to their owner alone, and a notice of one counts from its owner alone", async () => {
    const capabilities = { tools: {}, resources: { subscribe: true } }
    const started = ["a", "b"].map((id) => {
      const resources = [{ uri: `${id}://doc?sig=SECRET-${id}`, name: id }]
      const answers = (method: string) => {
        if (method === "resources/list") return { resultType: "complete", resources }
        return method === "resources/templates/list" ? { resultType: "complete", resourceTemplates: [] } : undefined
      }
      return plainServer({ id, era: "modern", capabilities, streams: true, answers })
    })
    const [a, b] = await Promise.all(started)
    if (a === undefined || b === undefined) throw new Error("no servers")
    opened.push(a.end, b.end)
    const all = await open([a.server, b.server])
    const heard: Notice[] = []
    const granted = new Set<string>()
    const uris = ["a://doc?sig=SECRET-a", "b://doc?sig=SECRET-b", "nobody://1"]
    const stop = await all.attend(modernCaller(), {
      wants: { lists: new Set(), resources: new Set(uris) },
      granted: (resources) => {
        for (const uri of resources) granted.add(uri)
      },
      notify: (notice) => heard.push(notice),
      inquire: nobody,
    })
    opened.push(async () => stop())
    expect([...granted].sort()).toEqual(uris.slice(0, 2))
    await expect
      .poll(() => {
        b.say("notifications/resources/updated", { uri: "a://doc?sig=SECRET-a", from: "b" })
        b.say("notifications/resources/updated", { uri: "b://doc?sig=SECRET-b", from: "b" })
        return heard.length
      })
      .toBeGreaterThan(2)
    expect(heard.filter(({ params }) => params?.uri === uris[0])).toEqual([])
    const toldTo = (server: typeof a) => JSON.stringify(server.seen("subscriptions/listen"))
    expect(toldTo(a)).toContain("SECRET-a")
    expect(toldTo(a)).not.toContain("SECRET-b")
    expect(toldTo(b)).not.toContain("SECRET-a")
    expect(toldTo(a) + toldTo(b)).not.toContain("nobody")
  })
})
