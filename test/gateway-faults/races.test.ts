import type { Approval, StoreEvent, VerdictResult } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { everything } from "../faults/everything.ts"
import { durableKinds, missing } from "../faults/store-spec.ts"
import { legacyClient, modernClient, type Told } from "./lean-client.ts"
import { askingPolicy } from "./open-gateway.ts"
import { did, openScene, type Scene, type SceneOptions } from "./scene.ts"

const rounds = everything ? 60 : 5

describe.each(durableKinds)("races at the gateway on %s", { timeout: 300_000 }, (kind) => {
  const why = missing(kind)
  const open = (options: SceneOptions = {}) => openScene({ store: kind, ...options })

  it("50 reviewers on one call: one verdict wins, all agree, and it runs at most once", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const scene = await open()
    const client = await legacyClient(scene.url)
    for (let round = 0; round < rounds; round++) {
      const n = `fifty ${round}`
      const sent = client.call("act", n)
      const held = await scene.onlooker.sees(n, "pending")
      const answers = await Promise.all(Array.from({ length: 50 }, (_, who) => verdictOf(scene, held, who)))
      const told = await sent.told
      const winner = isDone(told, n) ? "approve" : "deny"
      for (const [who, { ok }] of answers.entries()) expect(ok, `reviewer ${who}`).toBe(kindOf(who) === winner)
      expect(scene.runs(n)).toBe(winner === "approve" ? 1 : 0)
    }
    await scene.close()
  })

  it("a verdict against expiry: the caller is told the one that came first", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const scene = await open({ policy: { ...askingPolicy("short"), wait: 200 } })
    const client = await legacyClient(scene.url)
    for (let round = 0; round < rounds; round++) {
      const n = `expiry ${round}`
      const sent = client.call("act", n)
      const held = await scene.onlooker.sees(n, "pending")
      await at(scene, (held.status === "pending" ? held.expiresAt : null) ?? 0, (round % 5) - 2)
      const [answer] = await Promise.all([approve(scene, held), scene.front.gate.expireDue()])
      await expectTold(scene, n, answer.ok, await sent.told)
    }
    await scene.close()
  })

  it("a verdict against cancellation: what was cancelled does not run", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const scene = await open()
    const legacy = await legacyClient(scene.url)
    for (let round = 0; round < rounds; round++) {
      const n = `cancel ${round}`
      const client = round % 2 === 0 ? legacy : modernClient(scene.url)
      const sent = client.call("act", n)
      const held = await scene.onlooker.sees(n, "pending")
      await sent.opened
      const withdraw = round % 2 === 0 ? () => client.withdraw(sent.id) : async () => sent.drop()
      await Promise.all(round % 4 < 2 ? [withdraw(), approve(scene, held)] : [approve(scene, held), withdraw()])
      await expect.poll(() => statusOf(scene, n), poll).toMatch(/cancelled|succeeded|failed|unknown/)
      if (/cancelled|failed/.test(await statusOf(scene, n))) expect(scene.runs(n)).toBe(0)
    }
    await scene.close()
  })

  it("a verdict against a policy that now denies: it runs before, or never", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const late = lateNews()
    const scene = await open({ holdBack: late.holdBack })
    const client = await legacyClient(scene.url)
    for (let round = 0; round < rounds; round++) {
      const n = `policy ${round}`
      const sent = client.call("act", n)
      const held = await scene.onlooker.sees(n, "pending")
      const deny = () => scene.front.gate.replacePolicy(askingPolicy(`denies ${round}`, [], ["counting(act)"]), null)
      if (round % 2 === 0) await Promise.all([approve(scene, held), deny()])
      else await late.meanwhile(() => approve(scene, held), deny)
      const told = await sent.told
      if (round % 2 === 1) expect(isDone(told, n), "a yes older than the rule").toBe(false)
      expect(scene.runs(n)).toBe(isDone(told, n) ? 1 : 0)
      await scene.front.gate.replacePolicy(askingPolicy(`asks ${round}`), null)
    }
    await scene.close()
  })

  it("a verdict against a changed definition: an old yes does not run the new tool", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const late = lateNews()
    const scene = await open({ holdBack: late.holdBack })
    const client = await legacyClient(scene.url)
    for (let round = 0; round < rounds; round++) {
      const n = `pin ${round}`
      const sent = client.call("changing", n)
      const held = await scene.onlooker.sees(n, "pending")
      const change = async () => {
        await scene.upstream.steer("change")
        await client.request("tools/list", {}).told
      }
      if (round % 2 === 0) await Promise.all([change(), approve(scene, held)])
      else await late.meanwhile(() => approve(scene, held), change)
      const told = await sent.told
      if (round % 2 === 1) expect(isDone(told, n), "an old yes").toBe(false)
      expect(scene.runs(n)).toBe(isDone(told, n) ? 1 : 0)
    }
    await scene.close()
  })

  it("one request id twice: the second is refused while the first waits", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const scene = await open()
    const client = await legacyClient(scene.url)
    const first = client.call("act", "twice", { id: 7_000_001 })
    await scene.onlooker.sees("twice", "pending")
    expect((await client.call("act", "twice", { id: 7_000_001 }).told).error?.message).toMatch(/id/)
    await scene.answer("twice", "approve")
    expect(await first.told).toMatchObject(did("twice"))
    expect(scene.runs("twice")).toBe(1)
    await scene.close()
  })

  it("identical calls at once are calls of their own: one yes runs one of them", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const scene = await open()
    const client = modernClient(scene.url)
    const calls = [client.call("act", "same", { id: 1 }), client.call("act", "same", { id: 1 })]
    await expect.poll(async () => (await scene.onlooker.recordsOf("same")).length, poll).toBe(2)
    await scene.answer("same", "approve")
    await scene.onlooker.sees("same", "succeeded")
    expect(scene.runs("same")).toBe(1)
    await scene.answer("same", "deny")
    const told = await Promise.all(calls.map((call) => call.told))
    expect(told.filter((one) => isDone(one, "same")).length).toBe(1)
    expect(scene.runs("same")).toBe(1)
    await scene.close()
  })

  it("requestState replayed: every replay leads to the same approval, which runs once", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const scene = await open({ times: { legMs: 300 } })
    const client = modernClient(scene.url)
    const requestState = (await client.call("act", "replay").told).result?.requestState ?? ""
    expect(requestState).not.toBe("")
    const again = () => client.call("act", "replay", { params: { requestState } })
    const replays = Array.from({ length: 10 }, again)
    await scene.answer("replay", "approve")
    // On a slow machine all of them may have left before the yes: whoever comes back runs it.
    for (let tries = 0; tries < 20 && (await statusOf(scene, "replay")) === "approved"; tries += 1) await again().told
    await scene.onlooker.sees("replay", "succeeded")
    await Promise.all(replays.map((replay) => replay.told))
    await again().told
    expect((await scene.onlooker.recordsOf("replay")).length).toBe(1)
    expect(scene.runs("replay")).toBe(1)
    expect((await client.call("act", "another", { params: { requestState } }).told).error?.code).toBe(-32602)
    expect(scene.runs("another")).toBe(0)
    await scene.close()
  })
})

const poll = { timeout: 20_000, interval: 20 }
const kindOf = (who: number) => (who % 2 === 0 ? "approve" : "deny")
const isDone = ({ result }: Told, n: string): boolean => JSON.stringify(result?.content).includes(`did ${n}`)

function verdictOf(scene: Scene, held: Approval, who: number): Promise<VerdictResult> {
  const reviewer = { id: `reviewer ${who}`, groups: [] }
  return scene.front.gate.answer({ approval: held.id, kind: kindOf(who), digest: held.runDigest, reviewer })
}

const approve = (scene: Scene, held: Approval): Promise<VerdictResult> => verdictOf(scene, held, 0)

async function statusOf(scene: Scene, n: string): Promise<string> {
  return (await scene.onlooker.recordsOf(n))[0]?.status ?? "none"
}

/** News of an approval come late: between the yes and the run there is time for something else. */
function lateNews() {
  let gate: Promise<unknown> | undefined
  return {
    holdBack: (event: StoreEvent) => (event.type === "approval.approved" ? gate : undefined),
    meanwhile: async (first: () => Promise<unknown>, then: () => Promise<unknown>): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      await first()
      await then()
      gate = undefined
      resolve()
    },
  }
}

/** Goes on at that time of the store, or so many milliseconds from it. */
async function at(scene: Scene, time: number, off: number): Promise<void> {
  const left = time + off - scene.front.store.now(Date.now())
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, left)))
}

async function expectTold(scene: Scene, n: string, wasApproved: boolean, told: Told): Promise<void> {
  expect(isDone(told, n)).toBe(scene.runs(n) === 1)
  if (!wasApproved) expect(scene.runs(n)).toBe(0)
  if (!isDone(told, n)) expect(told.result?._meta).toMatchObject({ "byleave/refusal": { code: "expired" } })
}
