import { dirname } from "node:path"
import type { Approval, Store } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { itAtNight } from "../faults/everything.ts"
import { missing, openFrom, scratchStore } from "../faults/store-spec.ts"
import { countsIn } from "./dispatches.ts"
import { expectOneStory } from "./expect-one-story.ts"
import { callInLegs, legacyClient, modernClient } from "./lean-client.ts"
import { lookOn, type Onlooker } from "./onlooker.ts"
import { did } from "./scene.ts"
import { type Counting, httpUpstream, urlOf } from "./start-upstream.ts"
import { startVictim, type Victim } from "./victim.ts"

type Pair = {
  readonly one: Victim
  readonly two: Victim
  readonly upstream: Counting
  readonly store: Store
  readonly onlooker: Onlooker
  readonly runs: (n: string) => number
  readonly close: () => Promise<void>
}

const why = missing("postgres")

describe("two gateways on one PostgreSQL", { timeout: 120_000 }, () => {
  it("a call held at one is released by a verdict given at the other, in both eras", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const pair = await openPair()
    for (const client of [await legacyClient(pair.one.url), modernClient(pair.one.url)]) {
      const n = `held by ${client.session ?? "modern"}`
      const sent = client.call("act", n)
      const { id } = await pair.onlooker.sees(n, "pending")
      await pair.two.answer(id, "approve")
      expect(await sent.told).toMatchObject(did(n))
      expect(pair.runs(n)).toBe(1)
    }
    await pair.close()
  })

  itAtNight(
    "a legacy session begun at one goes on at the other, and a state sealed by one is opened by the other",
    async ({ skip }) => {
      skip(why !== null, why ?? "")
      const pair = await openPair({ legMs: 300 })
      const begun = await legacyClient(pair.one.url)
      const elsewhere = await legacyClient(pair.two.url, begun.session ?? "")
      const sent = elsewhere.call("act", "moved")
      await pair.one.answer((await pair.onlooker.sees("moved", "pending")).id, "approve")
      expect(await sent.told).toMatchObject(did("moved"))
      const requestState = (await modernClient(pair.one.url).call("act", "sealed").told).result?.requestState ?? ""
      const held = await pair.onlooker.sees("sealed", "pending", ({ caller }) => caller === null)
      const going = callInLegs(modernClient(pair.two.url), "act", "sealed", { requestState })
      await pair.one.answer(held.id, "approve")
      expect((await going).told).toMatchObject(did("sealed"))
      expect((await pair.onlooker.recordsOf("sealed")).length).toBe(1)
      expect([pair.runs("moved"), pair.runs("sealed")]).toEqual([1, 1])
      await pair.close()
    },
  )

  it("calls held at one survive its death: the other takes them up, long before the lease of the dead is over", async ({
    skip,
  }) => {
    skip(why !== null, why ?? "")
    const pair = await openPair({}, tenMinutes)
    const begun = await legacyClient(pair.one.url)
    const lost = ["undecided", "decided"].map((n) => begun.call("act", n))
    const undecided = await pair.onlooker.sees("undecided", "pending")
    const decided = await pair.onlooker.sees("decided", "pending")
    pair.one.kill()
    await pair.one.dead
    for (const { told } of lost) await expect(told).rejects.toThrow()
    await pair.two.answer(decided.id, "approve")
    await untilGone(pair.store, undecided)
    const client = await legacyClient(pair.two.url, begun.session ?? "")
    expect(await client.call("act", "decided").told).toMatchObject(did("decided"))
    const again = client.call("act", "undecided")
    await pair.onlooker.sees("undecided", "pending", ({ caller }) => caller !== null && caller !== undecided.caller)
    await pair.two.answer(undecided.id, "approve")
    expect(await again.told).toMatchObject(did("undecided"))
    for (const n of ["undecided", "decided"]) {
      expect((await pair.onlooker.recordsOf(n)).map(({ status }) => status)).toEqual(["succeeded"])
      expect(pair.runs(n)).toBe(1)
    }
    expect((await callInLegs(modernClient(pair.two.url), "no such tool", "x")).told.error).toBeDefined()
    await pair.close()
  })

  itAtNight(
    "an outcome that one recorded and died before giving is given by the other, once, and nothing runs again",
    async ({ skip }) => {
      skip(why !== null, why ?? "")
      const pair = await openPair({}, tenMinutes)
      const begun = await legacyClient(pair.one.url)
      await pair.one.armed("recorded")
      const sent = begun.call("act", "unheard")
      await pair.two.answer((await pair.onlooker.sees("unheard", "pending")).id, "approve")
      await pair.one.dead
      await expect(sent.told).rejects.toThrow()
      const left = await pair.onlooker.sees("unheard", "succeeded")
      await untilGone(pair.store, left)
      const client = await legacyClient(pair.two.url, begun.session ?? "")
      const notes = { _meta: { "byleave/notes": ["delivered-late"] } }
      expect(await client.call("act", "unheard").told).toMatchObject({ result: { ...did("unheard").result, ...notes } })
      const again = client.call("act", "unheard")
      await pair.two.answer((await pair.onlooker.sees("unheard", "pending", ({ id }) => id !== left.id)).id, "deny")
      expect(await again.told).toMatchObject({ result: { isError: true } })
      expect(pair.runs("unheard")).toBe(1)
      await pair.close()
    },
  )

  itAtNight("a task made at one survives its death: asked for at the other, it runs there", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const pair = await openPair()
    const abilities = { extensions: { "io.modelcontextprotocol/tasks": {} } }
    const created = await modernClient(pair.one.url, abilities).call("act", "task").told
    expect(created.result).toMatchObject({ resultType: "task", status: "working" })
    const { id } = await pair.onlooker.sees("task", "pending")
    pair.one.kill()
    await pair.one.dead
    await pair.two.answer(id, "approve")
    const ask = () => modernClient(pair.two.url, abilities).request("tasks/get", { taskId: id }).told
    await expect.poll(async () => (await ask()).result?.status, { timeout: 30_000 }).toBe("completed")
    expect(await ask()).toMatchObject({ result: did("task") })
    expect(pair.runs("task")).toBe(1)
    await pair.close()
  })

  it("a call that runs at one when it dies is unknown at the other, and is not run again", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const pair = await openPair()
    const sent = modernClient(pair.one.url).call("act_slow", "running")
    const { id } = await pair.onlooker.sees("running", "pending")
    await pair.two.answer(id, "approve")
    await expect.poll(() => pair.runs("running"), { timeout: 20_000 }).toBe(1)
    pair.one.kill()
    await pair.one.dead
    await expect(sent.told).rejects.toThrow()
    expect((await pair.onlooker.sees("running", "unknown")).id).toBe(id)
    expect(pair.runs("running")).toBe(1)
    await pair.close()
  })
})

/** What ran at a dead process is unknown once its lease is over. */
const threeSeconds = 3_000
/** Longer than these tests last: what is known of a death by then, no lease has told. */
const tenMinutes = 600_000

async function openPair(times = {}, leaseMs = threeSeconds): Promise<Pair> {
  const { spec, dispose } = scratchStore("postgres")
  const upstream = await httpUpstream(dirname(spec.dispatches))
  const plan = { spec, upstream: urlOf(upstream), ahead: 0, times, leaseMs }
  const [one, two] = [await startVictim(plan), await startVictim(plan)]
  const store = await openFrom(spec)
  const onlooker = lookOn(store)
  const close = async () => {
    for (const victim of [one, two]) victim.kill()
    await Promise.all([one.dead, two.dead])
    onlooker.leave()
    await store.close()
    await upstream.stop()
    await expectOneStory(spec, upstream.log)
    dispose()
  }
  return { one, two, upstream, store, onlooker, runs: (n) => countsIn(upstream.log).get(n) ?? 0, close }
}

/** The process that held it counts as dead from then on. */
async function untilGone(store: Store, held: Approval): Promise<void> {
  const writer = held.caller?.slice(0, held.caller.indexOf("/")) ?? ""
  await expect.poll(async () => store.alive(store.now(Date.now())), { timeout: 30_000 }).not.toContain(writer)
}
