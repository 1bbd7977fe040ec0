import { afterEach, describe, expect, it } from "vitest"
import {
  approve,
  ask,
  callOf,
  deny,
  gateOn,
  legacyCaller,
  memoryStore,
  modernCaller,
  nextHeld,
  openRelay,
  policyOf,
  type Relay,
  referenceServer,
  resultOf,
  rule,
  textOf,
} from "../fixtures/open-relay.ts"
import { twoEra } from "../fixtures/two-era.ts"

const opened: Relay[] = []

async function everything(rules: Parameters<typeof policyOf>[0], more: Parameters<typeof openRelay>[1] = {}) {
  const relay = await openRelay([referenceServer("every", "everything")], { policy: policyOf(rules), ...more })
  opened.push(relay)
  return relay
}

afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

describe("a tool called by a legacy client", () => {
  it("runs when policy allows it, and answers as the server does", async () => {
    const relay = await everything([rule("allow", "every(echo)")])
    const result = await resultOf(ask(relay.backend("every"), legacyCaller(), callOf("echo", { message: "hi" })))
    expect(result).toEqual({ content: [{ type: "text", text: "Echo: hi" }] })
  })

  it("R95: does not run when a person denies it, and the model is told why", async () => {
    const relay = await everything([])
    const held = nextHeld(relay.gate)
    const calling = ask(relay.backend("every"), legacyCaller(), callOf("echo", { message: "hi" }))
    await deny(relay.gate, await held, "not on a Friday")
    const result = await resultOf(calling)
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain("not on a Friday")
    expect(result).not.toHaveProperty("structuredContent")
  })

  it("R94: runs with exactly the arguments that were approved", async () => {
    const relay = await everything([])
    const held = nextHeld(relay.gate)
    const calling = ask(relay.backend("every"), legacyCaller(), callOf("echo", { message: "hi" }))
    await approve(relay.gate, await held)
    expect(textOf(await resultOf(calling))).toContain("Echo: hi")
  })
})

describe("a tool whose arguments are mirrored in headers", () => {
  it("I4: is not called by a modern client whose headers do not say what the body says", async () => {
    const two = twoEra("modern")
    const relay = await openRelay([two.server], { policy: policyOf([rule("allow", "two(*)")]) })
    opened.push(relay)
    const reply = await ask(relay.backend("two"), modernCaller(), callOf("routed", { region: "eu" })).reply
    expect(reply).toMatchObject({ kind: "error", error: { code: -32020 } })
    expect(two.seen("tools/call")).toEqual([])
    const legacy = ask(relay.backend("two"), legacyCaller(), callOf("routed", { region: "eu" }))
    expect(textOf(await resultOf(legacy))).toContain("routed")
  })

  it.each([
    { effect: "hide", told: { kind: "error", error: { code: -32602, message: "Unknown tool: routed" } } },
    { effect: "deny", told: { kind: "result", result: { isError: true } } },
  ] as const)(
    "I4: is refused and recorded as any call of it where policy says $effect, whatever the headers say",
    async ({ effect, told }) => {
      const judged: string[] = []
      const policy = policyOf([rule(effect, "two(routed)"), rule("allow", "two(*)")])
      const gate = await gateOn(memoryStore(), policy, { onJudged: (by) => judged.push(by) })
      const relay = await openRelay([twoEra("modern").server], { gate })
      opened.push(relay)
      const call = callOf("routed", { region: "eu" })
      expect(await ask(relay.backend("two"), modernCaller(), call).reply).toMatchObject(told)
      expect(judged).toEqual([effect])
    },
  )
})
