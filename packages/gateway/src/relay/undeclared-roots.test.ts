/** Roots of a client that declares none: relative paths are judged, and cards drawn, as if there were none. */
import type { JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import {
  approve,
  ask,
  callOf,
  legacyCaller,
  modernCaller,
  nextHeld,
  openRelay,
  policyOf,
  type Relay,
  type RelaySetting,
  rule,
} from "./fixtures/open-relay.ts"
import { scripted } from "./fixtures/scripted.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

const roots = { roots: [{ uri: "file:///elsewhere", name: "r" }] }
const asksForRoots = { resultType: "input_required", requestState: "s", inputRequests: { k: { method: "roots/list" } } }

async function open(answer: JsonObject, effect: "allow" | "ask" = "allow", more: RelaySetting = {}) {
  const script = scripted("modern", {
    "tools/list": { tools: [{ name: "tool", inputSchema: { type: "object" } }] },
    "tools/call": answer,
  })
  const relay = await openRelay([script.server], { policy: policyOf([rule(effect, "s(*)")]), ...more })
  opened.push(relay)
  const asked: string[] = []
  const client = async ({ method }: { readonly method: string }) => {
    asked.push(method)
    return { kind: "result", result: roots } as const
  }
  const sent = () => script.lines().filter((line) => line.includes('"tools/call"'))
  return { sent, backend: relay.backend("s"), gate: relay.gate, asked, client }
}

describe("a client that declares no roots", () => {
  it.each([
    ["as they are", { k: roots }],
    ["in another spelling", { k: { Roots: roots.roots } }],
    ["by a letter that only becomes another in the other case", { k: { "root\u017f": roots.roots } }],
    ["so beside another answer", { k: { action: "accept", "root\u017f": roots.roots } }],
    ["beside another answer", { k: { action: "accept", ...roots } }],
  ])("gives a server none of its own accord, %s", async (_, inputResponses) => {
    const { sent, backend } = await open({ content: [] })
    const call = ask(backend, modernCaller(), callOf("tool", { path: "notes" }, { inputResponses }))
    expect(await call.reply).toMatchObject({ kind: "error", error: { message: expect.stringContaining("roots") } })
    expect(sent()).toEqual([])
  })

  it("gives a server none where unknown params are left out", async () => {
    const { sent, backend } = await open({ content: [] }, "allow", { unknownParams: () => "drop" })
    const answers = { a: { action: "accept", Roots: roots.roots }, b: { "root\u017f": roots.roots, content: null } }
    await ask(backend, modernCaller(), callOf("tool", {}, { inputResponses: answers })).reply
    expect(sent()).toEqual([expect.stringContaining('"inputResponses":{"a":{"action":"accept"},"b":{}}')])
  })

  it("gives its answers to other questions", async () => {
    const { sent, backend } = await open({ content: [] })
    const inputResponses = { k: { action: "accept", content: {} } }
    expect(await ask(backend, modernCaller(), callOf("tool", {}, { inputResponses })).reply).toMatchObject({
      kind: "result",
    })
    expect(sent()).toEqual([expect.stringContaining(JSON.stringify({ inputResponses }).slice(1, -1))])
  })

  it.each([
    ["modern", modernCaller()],
    ["legacy", legacyCaller()],
  ])("is not asked for them: %s, of a call that is allowed", async (_, caller) => {
    const { backend, asked, client } = await open(asksForRoots)
    const reply = await ask(backend, caller, callOf("tool", { path: "notes" }), client).reply
    expect(JSON.stringify(reply)).not.toContain("roots/list")
    expect(asked).toEqual([])
  })

  it("is not asked for them while a call runs that a person approved", async () => {
    const { sent, backend, gate, asked, client } = await open(asksForRoots, "ask")
    const call = ask(backend, modernCaller(), callOf("tool", { path: "notes" }), client)
    await approve(gate, await nextHeld(gate))
    await call.reply
    expect(asked).toEqual([])
    expect(sent()).toHaveLength(1)
  })
})

it("a client that declares roots is asked for them", async () => {
  const { backend } = await open(asksForRoots)
  const reply = await ask(backend, modernCaller({ abilities: { roots: {} } }), callOf("tool")).reply
  expect(reply).toMatchObject({
    result: { resultType: "input_required", inputRequests: { k: { method: "roots/list" } } },
  })
})
