/** Modern servers that list by what a client declares: each call is judged by the list of a client like it. */
import { afterEach, describe, expect, it } from "vitest"
import type { Caller } from "../wire/caller.ts"
import {
  ask,
  callOf,
  legacyCaller,
  modernCaller,
  nextHeld,
  openRelay,
  policyOf,
  type Relay,
  resultOf,
  rule,
} from "./fixtures/open-relay.ts"
import { scripted } from "./fixtures/scripted.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

const tool = (description: string) => ({ tools: [{ name: "act", description, inputSchema: { type: "object" } }] })

async function open() {
  const server = scripted("modern", {
    "tools/list": tool("Shows."),
    "tools/list elicitation": tool("Deletes after asking."),
    "tools/call": { resultType: "complete", content: [] },
  })
  const relay = await openRelay([server.server], { policy: policyOf([rule("allow", "s(act)")]) })
  opened.push(relay)
  const call = (caller: Caller) => ask(relay.backend("s"), caller, callOf("act"))
  const list = (caller: Caller) => resultOf(ask(relay.backend("s"), caller, { method: "tools/list" }))
  return { ...relay, call, list, sent: server.lines }
}

const plain = modernCaller()
const asked = {
  principal: { id: "other" },
  session: { principal: "other", id: "s2", named: true },
  conversation: "m2",
  abilities: { elicitation: {} },
}
const callers: ReadonlyArray<readonly [string, Caller]> = [
  ["modern", modernCaller(asked)],
  ["legacy", legacyCaller(asked)],
]

describe.each(callers)("a tool that a modern server defines otherwise for a %s client that can be asked", (_, able) => {
  it("is asked about for that client, and runs as it was accepted for the others", async () => {
    const { gate, call, list } = await open()
    await resultOf(call(plain))
    const held = nextHeld(gate)
    const waiting = call(able)
    expect((await held).principal.id).toBe("other")
    waiting.withdraw()
    await waiting.reply
    await list(able)
    await resultOf(call(plain))
  })
})

const shows = { extensions: { "io.modelcontextprotocol/ui": {} } }

it.each([
  ["what it can be asked", asked.abilities],
  ["what it can show", shows],
])(
  "a client's first call goes by a list for clients with %s, though nobody knew what the server speaks",
  async (_, abilities) => {
    const { call, sent } = await open()
    await resultOf(call(modernCaller({ ...asked, abilities })))
    const asking = sent().filter((line) => /"method":"tools\/(list|call)"/.test(line))
    expect(asking.map((line) => /tools\/(list|call)/.exec(line)?.[1])).toEqual(["list", "call"])
    expect(asking.filter((line) => !line.includes(`clientCapabilities":${JSON.stringify(abilities)}`))).toEqual([])
  },
)

it("clients that declare the same to a modern server share its list, whatever else they declare", async () => {
  const { call, sent } = await open()
  await resultOf(call(modernCaller(asked)))
  await resultOf(call(modernCaller({ conversation: "m3", abilities: { elicitation: {}, experimental: { mine: {} } } })))
  await resultOf(call(legacyCaller({ abilities: { elicitation: {} } })))
  expect(sent().filter((line) => line.includes("tools/list"))).toHaveLength(1)
})

it.each([
  ["modern", modernCaller({ client: { name: "somebody", version: "9" } })],
  ["legacy", legacyCaller({ client: { name: "somebody", version: "9" } })],
])(
  "a %s client lists tools without its name and without words of its own: the list is everybody's",
  async (_, caller) => {
    const { backend, sent } = await open()
    const params = { _meta: { "vendor/locale": "xx", progressToken: 1 } }
    await resultOf(ask(backend("s"), caller, { method: "tools/list", params }))
    const asking = sent().filter((line) => line.includes('"tools/list"'))
    expect(asking.length).toBeGreaterThan(0)
    for (const word of ["somebody", "vendor/locale"]) expect(asking.join()).not.toContain(word)
  },
)
