import { afterEach, describe, expect, it } from "vitest"
import { createBackends } from "../relay/backends.ts"
import {
  approve,
  ask,
  callOf,
  legacyCaller,
  nextHeld,
  openRelay,
  policyOf,
  type Relay,
  resultOf,
  rule,
  textOf,
} from "../relay/fixtures/open-relay.ts"
import { twoEra } from "../relay/fixtures/two-era.ts"
import type { Ask, Reply } from "../wire/message.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

const caller = legacyCaller({ abilities: { elicitation: { form: {} } } })

async function open(rules: Parameters<typeof policyOf>[0], decideInClient: boolean) {
  const relay = await openRelay([twoEra("legacy").server], { policy: policyOf(rules), decideInClient })
  opened.push(relay)
  return { ...relay, backend: relay.backend("two") }
}

describe("a decision in the client", () => {
  const says =
    (decision: string, asked: Ask[] = []) =>
    async (question: Ask): Promise<Reply> => {
      asked.push(question)
      return { kind: "result", result: { action: "accept", content: { decision } } }
    }

  it("counts once where the configuration lets it, and is recorded for what it is", async () => {
    const { backend, gate } = await open([], true)
    const held = nextHeld(gate)
    const result = await resultOf(ask(backend, caller, callOf("echo"), says("approve")))
    expect(textOf(result)).toContain("echoed")
    const approval = await gate.approval((await held).id)
    expect(approval?.votes).toMatchObject([
      { reviewer: "client:agent", reason: "answered in the client, person unverified" },
    ])
    expect(await gate.grants()).toEqual([])
  })

  it("I4: is asked with every argument, however many there are, and what else is sent", async () => {
    const { backend } = await open([], true)
    const asked: Ask[] = []
    const args = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`key ${n}`, `value ${n}`]))
    await ask(backend, caller, callOf("echo", args, { _meta: { "vendor/path": "/etc" } }), says("deny", asked)).reply
    const { message } = asked[0]?.params ?? {}
    expect(message).toContain('"vendor/path":"/etc"')
    for (const [key, value] of Object.entries(args)) expect(message).toContain(`"${key}":"${value}"`)
  })

  it("counts no longer once the configuration has taken it back, without a restart", async () => {
    let decideInClient = true
    const plain = await openRelay([twoEra("legacy").server], { policy: policyOf([]) })
    opened.push(plain)
    const asConfigured = { get: () => decideInClient }
    const backends = createBackends(Object.defineProperty({ ...plain.options }, "decideInClient", asConfigured))
    decideInClient = false
    const held = nextHeld(plain.gate)
    const asked: Ask[] = []
    const backend = backends.get("two")
    if (backend === undefined) throw new Error("no server")
    const call = ask(backend, caller, callOf("echo"), says("approve", asked))
    await approve(plain.gate, await held)
    await call.reply
    await backends.close()
    expect(asked).toEqual([])
  })

  it("I1: does not count when the configuration does not let it any more by the time it is given", async () => {
    const plain = await openRelay([twoEra("legacy").server], { policy: policyOf([]) })
    opened.push(plain)
    let isAnswered = false
    const { promise: looked, resolve: look } = Promise.withResolvers<void>()
    const asConfigured = {
      get: () => {
        if (isAnswered) look()
        return !isAnswered
      },
    }
    const backends = createBackends(Object.defineProperty({ ...plain.options }, "decideInClient", asConfigured))
    const backend = backends.get("two")
    if (backend === undefined) throw new Error("no server")
    const held = nextHeld(plain.gate)
    const { promise: form, resolve: show } = Promise.withResolvers<void>()
    const { promise: answer, resolve: give } = Promise.withResolvers<Reply>()
    const calling = ask(backend, caller, callOf("echo"), () => {
      show()
      return answer
    })
    const { id } = await held
    await form
    isAnswered = true
    give({ kind: "result", result: { action: "accept", content: { decision: "approve" } } })
    await looked
    await new Promise(setImmediate)
    expect(await plain.gate.approval(id)).toMatchObject({ status: "pending", votes: [] })
    calling.withdraw()
    await calling.reply
    await backends.close()
  })

  it.each([
    { name: "the configuration does not let it", rules: [], decideInClient: false },
    {
      name: "it must be asked every time",
      rules: [rule("ask", "two(*)", { remember: "never" })],
      decideInClient: true,
    },
    { name: "several must agree", rules: [rule("ask", "two(*)", { approvals: 2 })], decideInClient: true },
    { name: "a group must agree", rules: [rule("ask", "two(*)", { reviewers: ["leads"] })], decideInClient: true },
  ])("is not asked for when $name", async ({ rules, decideInClient }) => {
    const { backend, gate } = await open(rules, decideInClient)
    const asked: Ask[] = []
    const held = nextHeld(gate)
    const calling = ask(backend, caller, callOf("echo"), says("approve", asked))
    const approval = await held
    calling.withdraw()
    await calling.reply
    expect(asked).toEqual([])
    expect((await gate.approval(approval.id))?.status).toBe("cancelled")
  })

  it("loses to whoever answers elsewhere first", async () => {
    const { backend, gate } = await open([], true)
    const held = nextHeld(gate)
    const calling = ask(backend, caller, callOf("echo"), () => new Promise(() => {}))
    await approve(gate, await held)
    expect(textOf(await resultOf(calling))).toContain("echoed")
  })
})
