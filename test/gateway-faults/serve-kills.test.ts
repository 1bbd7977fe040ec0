import type { Client } from "@byleave/api"
import { expect, it } from "vitest"
import { everything } from "../faults/everything.ts"
import { type LeanClient, legacyClient, modernClient } from "./lean-client.ts"
import { decide, listed, openRealService, type RealService, type Waiting } from "./real-service.ts"
import { did } from "./scene.ts"
import { tapWire, type WireTap } from "./wire-tap.ts"

/** The steps of a call that can be told from outside; for the others a process must say where it is. */
const steps = ["pending", "decided", "first byte sent", "recorded"] as const
const deaths = everything ? 40 : 4

it(`byleave serve itself, killed ${deaths} times: nothing lost, nothing twice, the audit verifies`, {
  timeout: 1_800_000,
}, async () => {
  const taps: WireTap[] = []
  const real = await openRealService(async (url) => {
    const tap = await tapWire(url)
    taps.push(tap)
    return tap.url
  })
  let service = await serveAgain(real)
  for (let round = 0; round < deaths; round++) service = await killOnce(real, taps[0], service, round)
  if (everything) await expectAllSettled(service.reviewer)
  const audit = await real.place.command("audit", "verify", "--data", real.place.data)
  expect(audit, audit.stdout + audit.stderr).toMatchObject({ code: 0 })
  await real.close()
  for (const tap of taps) await tap.close()
})

type Serving = {
  readonly url: string
  readonly reviewer: Client
  readonly kill: () => void
  readonly ended: Promise<unknown>
}

async function serveAgain(real: RealService): Promise<Serving> {
  const { url, child, ended } = await real.place.serve()
  return { url, reviewer: await real.place.reviewer(url), kill: () => void child.kill("SIGKILL"), ended }
}

async function killOnce(real: RealService, tap: WireTap | undefined, before: Serving, round: number): Promise<Serving> {
  const step = steps[round % steps.length] ?? "pending"
  const n = `${step} ${round}`
  const isLegacy = Math.floor(round / steps.length) % 2 === 0
  const client = isLegacy ? await legacyClient(before.url) : modernClient(before.url)
  tap?.onNextCall(() => {
    if (step === "first byte sent") before.kill()
    // What dies as it is decided must not have run.
    return step === "decided" ? "swallow" : "forward"
  })
  const sent = client.call("act", n)
  const waiting = await sees(before.reviewer, n)
  if (step === "pending") before.kill()
  else await decide(before.reviewer, waiting, "approve").catch(() => {})
  if (step === "recorded") expect(await sent.told).toMatchObject(did(n))
  // There it dies when the bytes come by.
  if (step !== "first byte sent") before.kill()
  await before.ended
  tap?.onNextCall(() => "forward")
  const next = await serveAgain(real)
  await expectRecovered(
    real,
    next,
    step,
    n,
    isLegacy ? await legacyClient(next.url, client.session ?? "") : modernClient(next.url),
  )
  return next
}

async function expectRecovered(
  real: RealService,
  { reviewer }: Serving,
  step: (typeof steps)[number],
  n: string,
  client: LeanClient,
): Promise<void> {
  const [left, ...more] = await listed(reviewer, n)
  expect(more).toEqual([])
  switch (step) {
    case "pending": {
      expect(left?.status).toBe("pending")
      const sent = client.call("act", n)
      await sent.opened
      if (left !== undefined) await decide(reviewer, left, "approve")
      expect(await sent.told).toMatchObject(did(n))
      expect((await listed(reviewer, n)).map(({ status }) => status)).toEqual(["succeeded"])
      expect(real.runs(n)).toBe(1)
      return
    }
    case "decided":
      expect(left?.status).toMatch(/approved|running|unknown/)
      expect(real.runs(n)).toBe(0)
      if (left?.status !== "approved") return
      expect(await client.call("act", n).told).toMatchObject(did(n))
      expect(real.runs(n)).toBe(1)
      return
    case "first byte sent":
      expect(left?.status).toMatch(/running|unknown/)
      expect(real.runs(n)).toBeLessThanOrEqual(1)
      return
    case "recorded":
      expect(left?.status).toBe("succeeded")
      expect(real.runs(n)).toBe(1)
      return
  }
}

async function sees(reviewer: Client, n: string): Promise<Waiting> {
  await expect.poll(async () => (await listed(reviewer, n))[0]?.status, { timeout: 20_000 }).toBe("pending")
  const [waiting] = await listed(reviewer, n)
  if (waiting === undefined) throw new Error(`${n} is gone`)
  return waiting
}

/** What the dead were running is unknown once their leases are over; nothing runs for ever. */
async function expectAllSettled(reviewer: Client): Promise<void> {
  const running = async () => {
    const reply = await reviewer.listApprovals({ query: { status: "running" } })
    return reply.ok ? reply.value.items.length : -1
  }
  await expect.poll(running, { timeout: 60_000, interval: 500 }).toBe(0)
}
