import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { verifyAudit } from "@byleave/core"
import { ed25519Signer, nodeHasher } from "@byleave/core/node"
import { describe, expect, it } from "vitest"
import { dispatchCounts } from "./dispatch-log.ts"
import { everything } from "./everything.ts"
import { callTo, loggingRun, openFaultGate, reviewer } from "./fault-gate.ts"
import { type Program, startProgram } from "./programs-talk.ts"
import { durableKinds, missing, openFrom, type StoreSpec, scratchStore } from "./store-spec.ts"

const processes = everything ? 8 : 4
const approvedCalls = everything ? 500 : 40
const contestedCalls = everything ? 60 : 10

describe.each(durableKinds)("%s", { timeout: 300_000 }, (kind) => {
  const why = missing(kind)

  it(`${processes} processes race to run the same ${approvedCalls} approved calls: each runs once`, async ({
    skip,
  }) => {
    skip(why !== null, why ?? "")
    const { spec, dispose } = scratchStore(kind)
    const ids = await heldCalls(spec, approvedCalls, true)
    const racers = await startAll("racer", spec, ids, () => [])
    for (const racer of racers) racer.go()
    const ran = (await Promise.all(racers.map((racer) => racer.next()))) as Array<{ ran: number }>
    await Promise.all(racers.map((racer) => racer.ended))
    expect(ran.reduce((sum, racer) => sum + racer.ran, 0)).toBe(approvedCalls)
    expect([...dispatchCounts(spec.dispatches).values()]).toEqual(Array.from({ length: approvedCalls }, () => 1))
    await expectOneStory(spec, ids, ["succeeded"])
    dispose()
  })

  it(`${processes} processes race contradicting verdicts: one wins, and all agree`, async ({ skip }) => {
    skip(why !== null, why ?? "")
    const { spec, dispose } = scratchStore(kind)
    const ids = await heldCalls(spec, contestedCalls, false)
    const kinds = ["approve", "deny"] as const
    const deciders = await startAll("decider", spec, ids, (n) => [kinds[n % 2] ?? "deny", `reviewer-${n}`])
    for (const decider of deciders) decider.go()
    const said = (await Promise.all(deciders.map((decider) => decider.next()))) as Array<{
      answers: Record<string, string>
    }>
    await Promise.all(deciders.map((decider) => decider.next()))
    for (const decider of deciders) decider.go()
    const views = (await Promise.all(deciders.map((decider) => decider.next()))) as Array<{
      seen: Record<string, string>
    }>
    await Promise.all(deciders.map((decider) => decider.ended))
    for (const id of ids) {
      const statuses = new Set(views.map((view) => view.seen[id]))
      expect(statuses.size).toBe(1)
      const winner = statuses.has("approved") ? "approve" : "deny"
      said.forEach(({ answers }, n) => {
        expect(answers[id]).toBe(kinds[n % 2] === winner ? "ok" : "conflict")
      })
    }
    await expectOneStory(spec, ids, ["approved", "denied"])
    dispose()
  })
})

async function heldCalls(spec: StoreSpec, count: number, approved: boolean): Promise<readonly string[]> {
  const store = await openFrom(spec)
  const gate = await openFaultGate(store)
  const ids = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const until = Promise.resolve()
      const ticket = await gate.submit(callTo("write", `call-${n}`), loggingRun(spec), { until: () => until })
      if (ticket.kind !== "ticket") throw new Error(`expected a ticket, got ${ticket.kind}`)
      const held = await gate.approval(ticket.approval)
      if (approved) {
        await gate.answer({ approval: ticket.approval, kind: "approve", digest: held?.runDigest ?? "", reviewer })
      }
      return ticket.approval
    }),
  )
  await gate.close()
  await store.close()
  return ids
}

async function startAll(
  name: string,
  spec: StoreSpec,
  ids: readonly string[],
  argsOf: (n: number) => readonly string[],
): Promise<readonly Program[]> {
  const plan = join(spec.dispatches, "..", "plan.json")
  writeFileSync(plan, JSON.stringify({ spec, ids }))
  const programs = Array.from({ length: processes }, (_, n) => startProgram(name, [plan, ...argsOf(n)]))
  for (const program of programs) {
    const first = await program.next()
    if (first !== "ready") await program.ended
    expect(first).toBe("ready")
  }
  return programs
}

async function expectOneStory(spec: StoreSpec, ids: readonly string[], statuses: readonly string[]): Promise<void> {
  const store = await openFrom(spec)
  for (const id of ids) expect(statuses).toContain((await store.approval(id))?.status)
  const report = await verifyAudit(store, { hasher: nodeHasher, signer: ed25519Signer(spec.key) })
  expect(report.problems).toEqual([])
  await store.close()
}
