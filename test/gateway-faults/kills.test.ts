import { dirname } from "node:path"
import type { Approval, Store } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { everything } from "../faults/everything.ts"
import { durableKinds, missing, openFrom, type Scratch, type StoreSpec, scratchStore } from "../faults/store-spec.ts"
import { countsIn } from "./dispatches.ts"
import { expectOneStory } from "./expect-one-story.ts"
import { type Step, steps } from "./hooks.ts"
import { type LeanClient, legacyClient, modernClient } from "./lean-client.ts"
import { lookOn, type Onlooker } from "./onlooker.ts"
import { type Counting, httpUpstream, urlOf } from "./start-upstream.ts"
import { startVictim, type Victim } from "./victim.ts"
import { tapWire, type WireTap } from "./wire-tap.ts"

const hitsPerStep = everything ? 20 : 1
const crowd = everything ? 500 : 10
/** Stores are used for this many kills, so that chains pile up as they would. */
const killsPerStore = 24
const oneMinute = 60_000

type Scene = {
  readonly spec: StoreSpec
  readonly upstream: Counting
  readonly tap: WireTap
  readonly store: Store
  readonly onlooker: Onlooker
  /** The gateway that lives now; each later one sees the store a minute later, so that leases of the dead are over. */
  victim: Victim
  kills: number
  /** A legacy session from before all kills. */
  session: string | undefined
  readonly dispose: () => void
}

describe.each(durableKinds)("kill -9 of the gateway on %s", (kind) => {
  const why = missing(kind)
  // Otherwise the stores share the steps: how a gateway picks up is the same on both.
  const mine = everything ? steps : steps.filter((_, at) => at % durableKinds.length === durableKinds.indexOf(kind))

  it(`${hitsPerStep} deaths after each of ${mine.length} steps: no call runs twice, none is lost`, {
    timeout: 1_800_000,
  }, async ({ skip }) => {
    skip(why !== null, why ?? "")
    const died = new Map<Step, number>()
    let scene = await openScene(scratchStore(kind))
    for (let n = 0; n < hitsPerStep * mine.length; n++) {
      if (scene.kills >= killsPerStore) {
        await closeScene(scene)
        scene = await openScene(scratchStore(kind))
      }
      const step = mine[n % mine.length] ?? "persisted"
      await killAndRecover(scene, step, n)
      died.set(step, (died.get(step) ?? 0) + 1)
    }
    await closeScene(scene)
    console.log(`${kind}: died after ${[...died].map(([step, count]) => `${step} ${count}`).join(", ")}`)
    for (const step of mine) expect(died.get(step), step).toBe(hitsPerStep)
  })
})

async function openScene({ spec, dispose }: Scratch): Promise<Scene> {
  const upstream = await httpUpstream(dirname(spec.dispatches))
  const tap = await tapWire(urlOf(upstream))
  const store = await openFrom(spec)
  const onlooker = lookOn(store)
  const victim = await startVictim(planOf(spec, tap, 0))
  return { spec, upstream, tap, store, onlooker, victim, kills: 0, session: undefined, dispose }
}

async function closeScene({ victim, store, onlooker, tap, upstream, dispose }: Scene): Promise<void> {
  victim.kill()
  await victim.dead
  onlooker.leave()
  await store.close()
  await tap.close()
  await upstream.stop()
  dispose()
}

const planOf = (spec: StoreSpec, tap: WireTap, kills: number) => ({
  spec,
  upstream: tap.url,
  ahead: kills * oneMinute,
  times: {},
  leaseMs: 30_000,
})

/** Both eras meet every step: legacy clients come back with the session they had before the kill. */
async function clientOf(scene: Scene, round: number): Promise<LeanClient> {
  if ((lapOf(round) + round) % 2 === 1) return modernClient(scene.victim.url)
  const client = await legacyClient(scene.victim.url, scene.session)
  scene.session = client.session ?? undefined
  return client
}

const lapOf = (round: number): number => Math.floor(round / steps.length)

async function killAndRecover(scene: Scene, step: Step, round: number): Promise<void> {
  const n = `${step} ${round}`
  const others = step === "pending" ? Array.from({ length: crowd }, (_, other) => `${n} other ${other}`) : []
  await killAt(scene, step, round, n, others)
  scene.kills += 1
  scene.victim = await startVictim(planOf(scene.spec, scene.tap, scene.kills))
  const client = await clientOf(scene, round)
  await expectPickedUp(scene, step, n, client)
  await expectAllAnswerable(scene, others, client)
  await expectOneStory(scene.spec, scene.upstream.log)
}

async function killAt(scene: Scene, step: Step, round: number, n: string, others: readonly string[]): Promise<void> {
  const { victim, onlooker, tap } = scene
  const client = await clientOf(scene, round)
  const sent = others.map((other) => client.call("act", other))
  for (const other of others) await onlooker.sees(other, "pending")
  if (step === "first byte sent") {
    tap.onNextCall(() => {
      victim.kill()
      return lapOf(round) % 4 < 2 ? "swallow" : "forward"
    })
  } else if (step !== "pending") await victim.armed(step)
  sent.push(client.call("act", n))
  const { id } = await onlooker.sees(n, "pending")
  if (step === "pending") victim.kill()
  else if (step !== "persisted" && step !== "notified") await victim.answer(id, "approve")
  await victim.dead
  for (const { told } of sent) await expect(told).rejects.toThrow()
}

/** What is left of the call after each step, and what its caller gets who simply calls again. */
async function expectPickedUp(scene: Scene, step: Step, n: string, client: LeanClient): Promise<void> {
  const [left, ...more] = await scene.onlooker.recordsOf(n)
  expect(more).toEqual([])
  const runs = () => countsIn(scene.upstream.log).get(n) ?? 0
  switch (step) {
    case "persisted":
    case "notified":
    case "pending":
      return expectAllAnswerable(scene, [n], client)
    case "decided":
      expect(left?.status).toBe("approved")
      expect(runs()).toBe(0)
      expect(await client.call("act", n).told).toMatchObject(did(n))
      expect(runs()).toBe(1)
      return
    case "claimed":
    case "first byte sent":
    case "response received": {
      expect(left?.status).toBe("unknown")
      const ran = runs()
      if (step === "claimed") expect(ran).toBe(0)
      if (step === "response received") expect(ran).toBe(1)
      await expectAskedAnew(scene, n, left, client)
      expect(runs()).toBe(ran)
      return
    }
    case "recorded":
      expect(left?.status).toBe("succeeded")
      expect(runs()).toBe(1)
      await expectGivenOnce(scene, n, left, client)
      expect(runs()).toBe(1)
      return
  }
}

const did = (n: string) => ({ result: { content: [{ type: "text", text: `did ${n}` }] } })

/** They still wait: their callers come back to them, a person answers, and they run, once. */
async function expectAllAnswerable(scene: Scene, calls: readonly string[], client: LeanClient): Promise<void> {
  const { onlooker, victim, upstream } = scene
  const waiting = []
  for (const n of calls) {
    const before = await onlooker.sees(n, "pending")
    const sent = client.call("act", n)
    waiting.push({ n, before, sent })
  }
  for (const { n, before, sent } of waiting) {
    await onlooker.sees(n, "pending", ({ caller }) => caller !== null && caller !== before.caller)
    expect((await onlooker.recordsOf(n)).length, `approvals of ${n}`).toBe(1)
    await victim.answer(before.id, "approve")
    expect(await sent.told).toMatchObject(did(n))
  }
  const counts = countsIn(upstream.log)
  for (const n of calls) expect(counts.get(n), `dispatches of ${n}`).toBe(1)
}

/** It ran and its caller never heard: who calls again gets the outcome, marked as late, and who calls once more is asked. */
async function expectGivenOnce(scene: Scene, n: string, left: Approval | undefined, client: LeanClient): Promise<void> {
  const { result } = await client.call("act", n).told
  expect(result).toMatchObject({ ...did(n).result, _meta: { "byleave/notes": ["delivered-late"] } })
  expect((await scene.onlooker.recordsOf(n)).map(({ id }) => id)).toEqual([left?.id])
  await expectAskedAnew(scene, n, left, client)
}

/** Nobody can tell what it did, or it was answered already: a person is asked before it would run once more. */
async function expectAskedAnew(
  scene: Scene,
  n: string,
  before: Approval | undefined,
  client: LeanClient,
): Promise<void> {
  const sent = client.call("act", n)
  const fresh = await scene.onlooker.sees(n, "pending", ({ id }) => id !== before?.id)
  await scene.victim.answer(fresh.id, "deny")
  expect(await sent.told).toMatchObject({ result: { isError: true } })
}
