import { setImmediate as nextTurn } from "node:timers/promises"
import { createJudgingTurns } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import {
  approve,
  ask,
  callOf,
  gateOn,
  legacyCaller,
  memoryStore,
  modernCaller,
  nextHeld,
  openRelay,
  policyOf,
  type Relay,
  type RelaySetting,
  resultOf,
  rule,
  withTasks,
} from "../relay/fixtures/open-relay.ts"
import { twoEra } from "../relay/fixtures/two-era.ts"
import { startFaultyHttp } from "../upstream/fixtures/faulty-http.ts"
import type { TaskRecords } from "../wire/ports.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

async function open(setting: RelaySetting = {}) {
  const relay = await openRelay([twoEra("legacy").server], setting)
  opened.push(relay)
  return { ...relay, backend: relay.backend("two") }
}

describe("a call of an agent whose calls took long to judge", () => {
  it.each([
    { name: "is judged when it is its turn", leaves: false, judged: ["ask"] },
    { name: "is not judged any more once its client has withdrawn it", leaves: true, judged: [] },
  ])("$name", async ({ leaves, judged }) => {
    const rest = Promise.withResolvers<void>()
    const judging = createJudgingTurns({ now: () => 0, pause: () => rest.promise })
    const effects: string[] = []
    const policy = policyOf([rule("ask", "two(*)")])
    const onJudged = (effect: string): void => void effects.push(effect)
    const gate = await gateOn(memoryStore(), policy, { judging, onJudged })
    const { backend } = await open({ gate })
    await resultOf(ask(backend, legacyCaller(), { method: "tools/list", params: {} }))
    judging.took(legacyCaller().principal.id, 10)
    const calling = ask(backend, legacyCaller(), callOf("echo"))
    await nextTurn()
    if (leaves) calling.withdraw()
    rest.resolve()
    await expect.poll(() => effects).toEqual(judged)
    calling.withdraw()
    await calling.reply
    expect(effects).toEqual(judged)
  })
})

describe("a call with a state that is not its own", () => {
  it.each([
    { effect: "hide", judged: ["hide"], told: { kind: "error", error: { message: "Unknown tool: echo" } } },
    { effect: "deny", judged: ["deny"], told: { kind: "result", result: { isError: true } } },
    { effect: "ask", judged: [], told: { kind: "error", error: { message: expect.stringContaining("requestState") } } },
    {
      effect: "allow",
      judged: [],
      told: { kind: "error", error: { message: expect.stringContaining("requestState") } },
    },
  ] as const)(
    "I1, I6: is refused by policy where that says $effect, or is told so, and neither runs nor waits",
    async ({ effect, judged: expected, told }) => {
      const judged: string[] = []
      const policy = policyOf([rule(effect, "two(*)")])
      const gate = await gateOn(memoryStore(), policy, { onJudged: (by) => judged.push(by) })
      const { backend } = await open({ gate })
      const reply = await ask(backend, modernCaller(), callOf("echo", {}, { requestState: "no state of ours" })).reply
      expect(reply).toMatchObject(told)
      expect(judged).toEqual(expected)
    },
  )
})

describe("a run whose server dies of it", () => {
  it("I2: is unknown to whoever called, where policy allowed it", async () => {
    const { backend } = await open({ policy: policyOf([rule("allow", "two(*)")]) })
    const result = await resultOf(ask(backend, legacyCaller(), callOf("crash")))
    expect(result).toMatchObject({ isError: true, _meta: { "byleave/unknown": {} } })
  })

  it("I2: is unknown for good, where a person approved it", async () => {
    const { backend, gate } = await open()
    const held = nextHeld(gate)
    const calling = ask(backend, legacyCaller(), callOf("crash"))
    const approval = await held
    await approve(gate, approval)
    expect(await resultOf(calling)).toMatchObject({ _meta: { "byleave/unknown": { approval: approval.id } } })
    expect((await gate.approval(approval.id))?.status).toBe("unknown")
  })
})

describe("a read that a person approved, at a server that goes wrong", () => {
  it.each([
    { uri: "cut:", status: "unknown", told: "do not simply repeat it" },
    { uri: "see-other:", status: "unknown", told: "do not simply repeat it" },
    { uri: "crowded:", status: "failed", told: "did not accept this call, so it should have done nothing" },
  ])("I2: $uri is $status, and was sent once", async ({ uri, status, told }) => {
    const server = await startFaultyHttp()
    const transport = { kind: "http", url: server.url, headers: new Map() } as const
    const relay = await openRelay([{ id: "web", transport }], { policy: policyOf([rule("ask", "web(resource:*)")]) })
    opened.push(relay)
    const backend = relay.backend("web")
    const held = nextHeld(relay.gate)
    const calling = ask(backend, legacyCaller(), { method: "resources/read", params: { uri } })
    const approval = await held
    // Its connection has been used before, so that the server seems to have closed a stale one.
    await ask(backend, legacyCaller(), { method: "resources/list", params: {} }).reply
    await approve(relay.gate, approval)
    expect(await calling.reply).toMatchObject({ kind: "error", error: { message: expect.stringContaining(told) } })
    expect((await relay.gate.approval(approval.id))?.status).toBe(status)
    expect(server.seen.filter((line) => line === "resources/read")).toHaveLength(1)
    await server.close()
  })
})

describe("a call that becomes a task", () => {
  const caller = modernCaller({ abilities: withTasks })

  it("I3: is one only once it is kept", async () => {
    const { promise: kept, resolve: keep } = Promise.withResolvers<void>()
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const tasks: TaskRecords = {
      put: () => {
        resolve()
        return kept
      },
      get: async () => undefined,
    }
    const { backend } = await open({ tasks })
    const calling = ask(backend, caller, callOf("echo"))
    await asked
    const turns = (async () => {
      for (let left = 20; left > 0; left--) await nextTurn()
      return "not yet"
    })()
    expect(await Promise.race([calling.reply, turns])).toBe("not yet")
    keep()
    expect(await resultOf(calling)).toMatchObject({ resultType: "task" })
  })

  it("I3: that cannot be kept waits as a call does, and runs once it is approved", async () => {
    const tasks: TaskRecords = { put: () => Promise.reject(new Error("full")), get: async () => undefined }
    const { backend, gate } = await open({ tasks })
    const held = nextHeld(gate)
    const calling = ask(backend, caller, callOf("echo"))
    await approve(gate, await held)
    expect(await resultOf(calling)).toMatchObject({ vendorField: { kept: true } })
  })
})
