import { setImmediate as nextTurn } from "node:timers/promises"
import type { ApprovalStatus, JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import {
  approve,
  ask,
  callOf,
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
import type { TaskRecord } from "../wire/ports.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

/** A store that keeps the next change to a status waiting; null: the next record of a call that was judged and is not held. */
function slowStore() {
  const store = memoryStore()
  let awaited:
    | { readonly status: ApprovalStatus | null; readonly arrive: () => void; readonly goesOn: Promise<void> }
    | undefined
  const keepWaiting = (status: ApprovalStatus | null) => {
    const [arrived, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    awaited = { status, arrive: arrived.resolve, goesOn: goesOn.promise }
    return { arrived: arrived.promise, goOn: goesOn.resolve }
  }
  const commit: typeof store.commit = async (change) => {
    const status = change.approvals?.[0]?.next.status ?? null
    if (awaited?.status === status) {
      const { arrive, goesOn } = awaited
      awaited = undefined
      arrive()
      await goesOn
    }
    return store.commit(change)
  }
  return { keepWaiting, store: { ...store, commit } }
}

async function open(setting: RelaySetting = {}) {
  const two = twoEra("legacy")
  const { keepWaiting, store } = slowStore()
  const relay = await openRelay([two.server], { times: { legMs: 30, budgetMs: 30 }, ...setting, store })
  opened.push(relay)
  const backend = relay.backend("two")
  const statusOf = async (id: string) => (await relay.gate.approval(id))?.status
  return { ...relay, keepWaiting, backend, statusOf, sent: () => two.seen("tools/call").length }
}

/** A call that was approved while nobody waited; and the same call once more. */
async function permitted(relay: Awaited<ReturnType<typeof open>>, caller = legacyCaller()) {
  const held = nextHeld(relay.gate)
  const { requestState }: JsonObject = await resultOf(ask(relay.backend, caller, callOf("echo")))
  const approval = await held
  await approve(relay.gate, approval)
  const state = requestState === undefined ? {} : { requestState }
  return {
    id: approval.id,
    again: (more: JsonObject = {}) => ask(relay.backend, caller, callOf("echo", {}, more)),
    state,
  }
}

const notSent = { isError: true, _meta: { "byleave/withdrawn": {} } }

describe("I7: the repeat of an approved call that is withdrawn before it was sent", () => {
  it.each([
    { era: "legacy", caller: legacyCaller(), comesBack: false },
    { era: "modern", caller: modernCaller(), comesBack: false },
    { era: "modern, coming back with its state", caller: modernCaller(), comesBack: true },
  ])("is not sent, and cancels its approval ($era)", async ({ caller, comesBack }) => {
    const relay = await open()
    const { id, again, state } = await permitted(relay, caller)
    const attaching = relay.keepWaiting("approved")
    const calling = again(comesBack ? state : {})
    await attaching.arrived
    calling.withdraw()
    attaching.goOn()
    await calling.reply
    await expect.poll(() => relay.statusOf(id)).toBe("cancelled")
    expect(relay.sent()).toBe(0)
  })

  it.each([
    { era: "legacy", caller: legacyCaller() },
    { era: "modern", caller: modernCaller() },
  ])("is not sent, and has failed, where it was being claimed ($era)", async ({ caller }) => {
    const relay = await open()
    const { id, again } = await permitted(relay, caller)
    const claiming = relay.keepWaiting("running")
    const calling = again()
    await claiming.arrived
    calling.withdraw()
    claiming.goOn()
    await calling.reply
    await expect.poll(() => relay.statusOf(id)).toBe("failed")
    expect(await relay.gate.approval(id)).toMatchObject({ error: notSent })
    expect(relay.sent()).toBe(0)
  })

  it("leaves the permit as it was, where its client was at its time limit", async () => {
    const clock = { now: Date.now() }
    const relay = await open({ now: () => clock.now })
    const caller = legacyCaller({ client: { name: "opencode", version: "1" } })
    const { id, again } = await permitted(relay, { ...caller, client: null })
    const attaching = relay.keepWaiting("approved")
    const calling = ask(relay.backend, caller, callOf("echo"))
    await attaching.arrived
    clock.now += 60_000
    calling.withdraw()
    attaching.goOn()
    await calling.reply
    expect([await relay.statusOf(id), relay.sent()]).toEqual(["approved", 0])
    expect(await resultOf(again())).toMatchObject({ vendorField: { kept: true } })
    expect(relay.sent()).toBe(1)
  })
})

describe("I7: a call that was allowed", () => {
  it.each([
    { era: "legacy", caller: legacyCaller() },
    { era: "modern", caller: modernCaller() },
  ])("is not sent where it was withdrawn while its decision was recorded ($era)", async ({ caller }) => {
    const relay = await open({ policy: policyOf([rule("allow", "two(*)")]) })
    const recording = relay.keepWaiting(null)
    const calling = ask(relay.backend, caller, callOf("echo"))
    await recording.arrived
    calling.withdraw()
    recording.goOn()
    expect(await resultOf(calling)).toMatchObject(notSent)
    expect(relay.sent()).toBe(0)
  })
})

describe("I7: a call that becomes a task", () => {
  const caller = modernCaller({ abilities: withTasks })

  /** A task that is kept once the test says so. */
  async function keeping() {
    const asked = Promise.withResolvers<TaskRecord>()
    const kept = Promise.withResolvers<void>()
    const tasks = {
      put: (record: TaskRecord) => {
        asked.resolve(record)
        return kept.promise
      },
      get: async () => undefined,
    }
    const relay = await open({ tasks })
    const held = nextHeld(relay.gate)
    const calling = ask(relay.backend, caller, callOf("echo"))
    await asked.promise
    return { ...relay, calling, approval: await held, keep: kept.resolve }
  }

  it("is cancelled where its request was withdrawn before its client was told of the task", async () => {
    const { gate, calling, approval, keep, statusOf, sent } = await keeping()
    calling.withdraw()
    await expect.poll(() => statusOf(approval.id)).toBe("cancelled")
    keep()
    await calling.reply
    expect((await approve(gate, approval)).ok).toBe(false)
    expect(sent()).toBe(0)
  })

  it("is not sent where it is approved while it is being cancelled for that", async () => {
    const { gate, calling, approval, keep, keepWaiting, statusOf, sent } = await keeping()
    const cancelling = keepWaiting("cancelled")
    calling.withdraw()
    await cancelling.arrived
    await approve(gate, approval)
    await calling.reply
    cancelling.goOn()
    keep()
    await expect.poll(() => statusOf(approval.id)).toBe("cancelled")
    expect(sent()).toBe(0)
  })

  it("goes on without the request once its client was told of the task", async () => {
    const { gate, calling, approval, keep, statusOf, sent } = await keeping()
    keep()
    expect(await resultOf(calling)).toMatchObject({ resultType: "task" })
    calling.withdraw()
    await approve(gate, approval)
    await expect.poll(() => statusOf(approval.id)).toBe("succeeded")
    expect(sent()).toBe(1)
  })
})

it("a task that is cancelled is not sent, however many polls of its client wait to be answered", async () => {
  const caller = modernCaller({ abilities: withTasks })
  const { backend, gate, statusOf, sent } = await open()
  const about = (method: string, taskId: string) => ask(backend, caller, { method, params: { taskId } })
  const hold = async () => {
    const held = nextHeld(gate)
    await resultOf(ask(backend, caller, callOf("echo")))
    return held
  }
  const ended = await hold()
  await gate.cancel(ended.id, caller.principal.id)
  const approval = await hold()
  const polls = Array.from({ length: 100 }, () => about("tasks/get", ended.id).reply)
  let isPolled = false
  void Promise.all(polls).then(() => {
    isPolled = true
  })
  for (let left = 3; left > 0; left--) await nextTurn()
  const cancelling = resultOf(about("tasks/cancel", approval.id))
  for (let left = 3; left > 0; left--) await nextTurn()
  await approve(gate, approval)
  expect(await cancelling).toMatchObject({ resultType: "complete" })
  expect(isPolled).toBe(false)
  await Promise.all(polls)
  expect(await statusOf(approval.id)).not.toBe("approved")
  expect(sent()).toBe(0)
})
