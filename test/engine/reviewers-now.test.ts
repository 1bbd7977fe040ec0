/** A reviewer is removed, or leaves a group, after they have approved. */
import type { Change, JsonObject, Reviewer, Store } from "@byleave/core"
import { newMemoryDatabase } from "@byleave/store"
import { describe, expect, it } from "vitest"
import { callOf, type Engine, holdCall, memoryStore, openEngine, policyOf, rule, yes } from "./open-engine.ts"

const ada: Reviewer = { id: "ada", groups: ["finance"], since: 1 }
const bob: Reviewer = { id: "bob", groups: ["finance"], since: 2 }
const cat: Reviewer = { id: "cat", groups: ["finance"], since: 3 }
const pay = callOf("bank(pay)", { amount: 5 })

const asks = (approvals: number, members: readonly string[]) =>
  policyOf([rule("ask", "bank(pay)", { approvals, reviewers: ["finance"] })], { members })
const all = ["finance/ada", "finance/bob", "finance/cat"]
const withoutAda = ["finance/bob", "finance/cat"]

async function changePeople(store: Store, documents: NonNullable<Change["documents"]>): Promise<void> {
  const events = [{ type: "access.changed", subject: "reviewer/ada" }] as const
  await store.commit({ at: 10, documents, movesEpoch: true, records: [], events, durability: "full" })
}

function added({ id, since = 0 }: Reviewer, groups: readonly string[] = []) {
  const value: JsonObject = { version: 1, createdAt: since, groups: [...groups] }
  return { put: { kind: "reviewer", id, version: 1, value, expiresAt: null }, replaces: null }
}

const adaRemoved = { remove: { kind: "reviewer", id: "ada" }, replaces: null }

/** Two processes on one store, of which the second hears of no event. */
async function openPair(approvals: number, own: readonly string[] = []) {
  const clock = { now: 1_800_000_000_000 }
  const database = newMemoryDatabase()
  const policy = asks(approvals, own.length > 0 ? [] : all)
  const here = await openEngine(policy, { clock, store: memoryStore(clock, database) })
  await changePeople(
    here.store,
    [ada, bob, cat].map((each) => added(each, own)),
  )
  const deaf = await openEngine(policy, {
    clock,
    store: { ...memoryStore(clock, database), subscribe: () => () => {} },
  })
  return { here, deaf }
}

const changes: ReadonlyArray<{ name: string; change: (engine: Engine) => Promise<void> }> = [
  { name: "I1: was removed", change: ({ store }) => changePeople(store, [adaRemoved]) },
  {
    name: "I1: was removed and whose name somebody else has",
    change: async ({ store }) => {
      await changePeople(store, [adaRemoved])
      await changePeople(store, [added({ ...ada, since: 4 })])
    },
  },
  { name: "I2: has left the group", change: ({ gate }) => gate.replacePolicy(asks(2, withoutAda), null) },
]

describe.each(changes)("a reviewer who $name", ({ change }) => {
  it("has no vote when another one is added", async () => {
    const { here } = await openPair(2)
    const { approval, outcome } = await holdCall(here, pay)
    await here.gate.answer(yes(approval, ada))
    await change(here)
    const counts = await here.gate.whichVotesCount()
    expect((await here.gate.approval(approval.id))?.votes.map((vote) => counts(approval, vote))).toEqual([false])
    await here.gate.answer(yes(approval, bob))
    const { status, votes } = (await here.gate.approval(approval.id)) ?? {}
    expect({ status, voters: votes?.map(({ reviewer }) => reviewer) }).toEqual({ status: "pending", voters: ["bob"] })
    expect(here.runs).toEqual([])
    await here.gate.answer(yes(approval, cat))
    expect(await outcome).toMatchObject({ kind: "result" })
  })

  it("has no part in what was approved and has not run", async () => {
    const { here } = await openPair(2)
    const { approval, outcome } = await holdCall(here, pay, Promise.resolve())
    await outcome
    await here.gate.answer(yes(approval, ada))
    expect(await here.gate.answer(yes(approval, bob))).toMatchObject({ ok: true, approval: { status: "approved" } })
    await change(here)
    const order = { approval: approval.id, digest: approval.runDigest, reviewer: bob }
    expect(await here.gate.runNow(order, here.run)).toMatchObject({ ok: false })
    expect(here.runs).toEqual([])
  })
})

it("I1: holds at a process that has not heard of the removal, also for a verdict under way", async () => {
  const { here, deaf } = await openPair(1)
  const first = await holdCall(here, pay, Promise.resolve())
  await here.gate.answer(yes(first.approval, ada))
  await deaf.gate.judge({ kind: "tool", server: "bank", name: "pay" }, pay.args, pay)
  const second = await holdCall(here, { ...pay, args: { amount: 6 } })
  await changePeople(here.store, [adaRemoved])
  const order = { approval: first.approval.id, digest: first.approval.runDigest, reviewer: bob }
  expect(await deaf.gate.runNow(order, deaf.run)).toMatchObject({ ok: false })
  expect(await deaf.gate.answer(yes(second.approval, ada))).toMatchObject({ ok: false })
  expect(await deaf.gate.approval(second.approval.id)).toMatchObject({ status: "pending", votes: [] })
  expect([...here.runs, ...deaf.runs]).toEqual([])
})

it("I2: whoever is in the group again approves again", async () => {
  const { here } = await openPair(2)
  const { approval, outcome } = await holdCall(here, pay)
  await here.gate.answer(yes(approval, ada))
  await here.gate.replacePolicy(asks(2, withoutAda), null)
  await here.gate.answer(yes(approval, bob))
  await here.gate.replacePolicy(asks(2, all), null)
  await here.gate.answer(yes(approval, ada))
  expect(await outcome).toMatchObject({ kind: "result" })
})

it("I2: groups kept with the reviewer count without the policy's", async () => {
  const { here } = await openPair(2, ["finance"])
  const { approval, outcome } = await holdCall(here, pay)
  await here.gate.answer(yes(approval, ada))
  await here.gate.answer(yes(approval, bob))
  expect(await outcome).toMatchObject({ kind: "result" })
})
