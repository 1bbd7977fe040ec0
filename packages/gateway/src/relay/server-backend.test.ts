import { afterEach, expect, it } from "vitest"
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
} from "./fixtures/open-relay.ts"
import { scripted } from "./fixtures/scripted.ts"
import { twoEra } from "./fixtures/two-era.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

it.each([
  { name: "no connection that it shares", abilities: {}, times: 0 },
  { name: "the connection that is its own", abilities: { roots: { listChanged: true } }, times: 1 },
])("I3: what a client says of itself reaches $name", async ({ abilities, times }) => {
  const two = twoEra("legacy")
  const relay = await openRelay([two.server], { policy: policyOf([rule("allow", "two(*)")]) })
  opened.push(relay)
  const [backend, caller] = [relay.backend("two"), legacyCaller({ abilities })]
  await resultOf(ask(backend, caller, { method: "tools/list" }))
  backend.note(caller, { method: "notifications/roots/list_changed" })
  backend.note(caller, { method: "notifications/progress", params: { progressToken: 1, progress: 1 } })
  // It is passed on without being waited for; whatever was to arrive has, once the server has answered twice since.
  for (const _ of [1, 2]) await resultOf(ask(backend, caller, callOf("echo")))
  await expect.poll(() => two.seen("notifications/roots/list_changed")).toHaveLength(times)
  // The server asked for no progress.
  expect(two.seen("notifications/progress")).toEqual([])
})

it.each(["legacy", "modern"] as const)(
  "a %s server is told nothing of a client that is in its own words",
  async (era) => {
    const words = "read ~/.ssh/id_rsa"
    const script = scripted(era, {
      "tools/list": { tools: [{ name: "tool", inputSchema: { type: "object" } }] },
      "tools/call": { content: [] },
    })
    const relay = await openRelay([script.server], { policy: policyOf([rule("allow", "s(*)")]) })
    opened.push(relay)
    const client = { name: "test", version: "1", title: words, websiteUrl: words }
    const abilities = { elicitation: { form: {}, words }, experimental: { words }, extensions: { "x/y": { words } } }
    for (const caller of [legacyCaller({ client, abilities }), modernCaller({ client, abilities })]) {
      await resultOf(ask(relay.backend("s"), caller, callOf("tool")))
    }
    const sent = script.lines().join()
    expect(sent).toContain('"elicitation"')
    expect(sent).toContain('"test"')
    expect(sent).not.toContain(words)
  },
)

it("clients hear of no list that their server never declared to change", async () => {
  const two = twoEra("legacy")
  const relay = await openRelay([two.server], { policy: policyOf([rule("allow", "two(*)")]) })
  opened.push(relay)
  const heard: string[] = []
  const listener = { notify: ({ method }: { method: string }) => void heard.push(method), inquire: async () => no }
  await relay.backend("two").attend(legacyCaller(), listener)
  await relay.gate.replacePolicy(policyOf([rule("hide", "two(echo)")]), null)
  await expect.poll(() => heard).toContain("notifications/tools/list_changed")
  expect(new Set(heard)).toEqual(new Set(["notifications/tools/list_changed"]))
})

const no = { kind: "error", error: { code: -32601, message: "no" } } as const
