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
  resultOf,
  rule,
  withTasks,
} from "../relay/fixtures/open-relay.ts"
import { twoEra } from "../relay/fixtures/two-era.ts"
import type { TaskBook } from "../wire/ports.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

async function open(setting: RelaySetting = {}) {
  const relay = await openRelay([twoEra("legacy").server], setting)
  opened.push(relay)
  return { ...relay, backend: relay.backend("two") }
}

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

describe("a call that becomes a task", () => {
  const caller = modernCaller({ abilities: withTasks })

  it("I3: is one only once it is kept", async () => {
    const { promise: kept, resolve: keep } = Promise.withResolvers<void>()
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const tasks: TaskBook = {
      put: () => {
        resolve()
        return kept
      },
      get: async () => undefined,
    }
    const { backend } = await open({ tasks })
    const calling = ask(backend, caller, callOf("echo"))
    await asked
    const turn = new Promise((after) => setTimeout(after, 20, "not yet"))
    expect(await Promise.race([calling.reply, turn])).toBe("not yet")
    keep()
    expect(await resultOf(calling)).toMatchObject({ resultType: "task" })
  })

  it("I3: that cannot be kept waits as a call does, and runs once it is approved", async () => {
    const tasks: TaskBook = { put: () => Promise.reject(new Error("full")), get: async () => undefined }
    const { backend, gate } = await open({ tasks })
    const held = nextHeld(gate)
    const calling = ask(backend, caller, callOf("echo"))
    await approve(gate, await held)
    expect(await resultOf(calling)).toMatchObject({ vendorField: { kept: true } })
  })
})
