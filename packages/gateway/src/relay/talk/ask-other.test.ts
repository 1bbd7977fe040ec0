import { emptyPolicy, type JsonObject, type Rule } from "@byleave/core"
import { expect, it } from "vitest"
import { ask, callOf, legacyCaller, nextHeld, openRelay, policyOf, resultOf, rule } from "../fixtures/open-relay.ts"
import { plainServer, plainTool } from "../fixtures/plain-server.ts"
import { namedBy } from "./ask-other.ts"

it.each<{ method: string; params: JsonObject; kind?: string; name?: string }>([
  { method: "prompts/get", params: { name: "p" }, kind: "prompt", name: "p" },
  { method: "resources/read", params: { uri: "a://1" }, kind: "resource", name: "a://1" },
  { method: "resources/subscribe", params: { uri: "a://1" }, kind: "resource", name: "a://1" },
  { method: "completion/complete", params: { ref: { type: "ref/prompt", name: "p" } }, kind: "prompt", name: "p" },
  {
    method: "completion/complete",
    params: { ref: { type: "ref/resource", uri: "a://{x}" }, argument: { name: "x", uri: "b://{x}" } },
    kind: "resource",
    name: "a://{x}",
  },
  { method: "completion/complete", params: { ref: { type: "ref/prompt", name: "p", uri: "a://1" } } },
  { method: "completion/complete", params: { ref: { type: "ref/resource", name: "p", uri: "a://1" } } },
  { method: "completion/complete", params: { ref: { type: "ref/other", uri: "a://1" } } },
  { method: "vendor/anything", params: { name: "p", uri: "a://1" } },
])("I1, I2: $method is about $kind $name", ({ method, params, kind, name }) => {
  const about = namedBy(method, params)
  if (kind === undefined) expect(about).toBeUndefined()
  else expect(about).toMatchObject({ kind, name })
})

const read = { method: "resources/read", params: { uri: "a://secret" } }
const get = { method: "prompts/get", params: { name: "secret" } }

it.each<{ name: string; first: { method: string; params: JsonObject }; rules: readonly Rule[]; asks: boolean }>([
  { name: "a resource that no rule covers", first: read, rules: [], asks: true },
  { name: "a resource that a rule allows", first: read, rules: [rule("allow", "plain(resource:*)")], asks: true },
  { name: "a prompt that no rule covers", first: get, rules: [], asks: true },
  {
    name: "another resource",
    first: { method: "resources/read", params: { uri: "a://open" } },
    rules: [rule("allow", "plain(resource:*)")],
    asks: false,
  },
])("after $name, calls that are allowed need approval by the cool-down: $asks", async ({ first, rules, asks }) => {
  const answers = (method: string) =>
    ({ "resources/read": { contents: [] }, "prompts/get": { messages: [] } })[method] ?? undefined
  const plain = await plainServer({ tools: [plainTool("act")], answers })
  const after = [rule("ask", "plain(resource:*secret*)").target, rule("ask", "plain(prompt:secret)").target]
  const limits = { ...emptyPolicy.limits, coolDown: { after, forMs: 300_000 } }
  const policy = policyOf([rule("allow", "plain(act)"), ...rules], { limits })
  const relay = await openRelay([plain.server], { policy })
  try {
    const backend = relay.backend("plain")
    await resultOf(ask(backend, legacyCaller(), callOf("act")))
    await resultOf(ask(backend, legacyCaller(), first))
    const held = nextHeld(relay.gate).then(() => "waits")
    const calling = resultOf(ask(backend, legacyCaller(), callOf("act"))).then(() => "ran")
    expect(await Promise.race([held, calling])).toBe(asks ? "waits" : "ran")
  } finally {
    await relay.close()
    await plain.end()
  }
})
