import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Approval, type Gate, type Store, verifyAudit } from "@byleave/core"
import { ed25519Signer, nodeHasher } from "@byleave/core/node"
import { describe, expect, it } from "vitest"
import { dispatchCounts } from "./dispatch-log.ts"
import { everything } from "./everything.ts"
import { callAgain, loggingRun, openFaultGate, reviewer } from "./fault-gate.ts"
import { type KillPlan, killPlan, type Step, steps } from "./kill-plan.ts"
import { startProgram } from "./programs-talk.ts"
import { durableKinds, missing, openFrom, type StoreSpec, scratchStore } from "./store-spec.ts"

const kills = everything ? 220 : 5
const hitsPerStep = everything ? 20 : 1
/** Steps come one by one and phases every five: five of each sixth plan have every step, and every phase. */
const stride = everything ? 1 : 6
/** Stores are used for this many kills, so that chains pile up as they would. */
const killsPerStore = 20

describe.each(durableKinds)("kill -9 on %s", (kind) => {
  const why = missing(kind)

  it(`${kills} deaths: nothing lost, nothing twice, every chain verifies`, { timeout: 600_000 }, async ({ skip }) => {
    skip(why !== null, why ?? "")
    const died = new Map<Step, number>()
    let scratch = scratchStore(kind)
    const isMissed = (): boolean => steps.some((step) => (died.get(step) ?? 0) < hitsPerStep)
    // A signal may arrive a step late: a step that was missed is tried again.
    for (let n = 0; n < kills || (isMissed() && n < 3 * kills); n++) {
      if (n > 0 && n % killsPerStore === 0) {
        scratch.dispose()
        scratch = scratchStore(kind)
      }
      const { step, held } = await killOnce(scratch.spec, killPlan(n * stride), `run${n}`)
      died.set(step, (died.get(step) ?? 0) + 1)
      await expectRecovered(scratch.spec, held, (1 + (n % killsPerStore)) * oneMinute)
    }
    scratch.dispose()
    console.log(`${kind}: died while ${[...died].map(([step, count]) => `${step} ${count}`).join(", ")}`)
    for (const step of steps) expect(died.get(step) ?? 0, step).toBeGreaterThanOrEqual(hitsPerStep)
  })
})

type Death = { readonly step: Step; readonly held: readonly string[] }

async function killOnce(spec: StoreSpec, plan: KillPlan, run: string): Promise<Death> {
  const file = join(spec.dispatches, "..", "victim.json")
  writeFileSync(file, JSON.stringify({ spec, plan, run }))
  const victim = startProgram("victim", [file])
  const held: string[] = []
  let last: Step | null = null
  let left = plan.nth
  for (;;) {
    const said = (await victim.next()) as { held?: string; enter?: Step; leave?: Step } | null
    if (said === null) break
    if (said.held !== undefined) held.push(said.held)
    last = said.enter ?? said.leave ?? last
    if (plan.phase === "watched" && said.enter === plan.step) {
      left -= 1
      if (left === 0) victim.child.kill("SIGKILL")
    }
  }
  await victim.ended
  if (last === null) throw new Error("It ended before it did anything.")
  return { step: last, held }
}

/** Looks at the store a minute later, by a store's clock that never goes back: every lease of the dead has lapsed, no permit has. */
const oneMinute = 60_000

async function expectRecovered(spec: StoreSpec, held: readonly string[], later: number): Promise<void> {
  const store = await openFrom(spec)
  const gate = await openFaultGate(store, later)
  const before = new Map<string, Approval["status"]>()
  for (const id of held) {
    const approval = await gate.approval(id)
    expect(approval, `held call ${id}`).toBeDefined()
    if (approval !== undefined) before.set(id, approval.status)
  }
  await gate.expireDue()
  for (const [id, status] of before) await expectPickedUp(gate, spec, id, status)
  await expectRecorded(store, spec)
  await gate.close()
  const report = await verifyAudit(store, { hasher: nodeHasher, signer: ed25519Signer(spec.key) })
  expect(report.problems).toEqual([])
  await store.close()
}

async function expectPickedUp(gate: Gate, spec: StoreSpec, id: string, before: Approval["status"]): Promise<void> {
  const now = await gate.approval(id)
  if (now === undefined) throw new Error(`${id} is gone`)
  const n = String(now.args?.n)
  const runs = () => dispatchCounts(spec.dispatches).get(n) ?? 0
  if (before === "running") expect(now.status).toBe("unknown")
  if (before === "running") expect(runs()).toBeLessThanOrEqual(1)
  if (before === "succeeded") expect(runs()).toBe(1)
  if (before !== "pending" && before !== "approved") return
  expect(runs()).toBe(0)
  if (before === "pending") await gate.answer({ approval: id, kind: "approve", digest: now.runDigest, reviewer })
  const outcome = await gate.attach(id, callAgain(now), loggingRun(spec))
  expect(outcome).toMatchObject({ kind: "result" })
  expect(runs()).toBe(1)
}

/** What ran by itself had its judgement recorded first. */
async function expectRecorded(store: Store, spec: StoreSpec): Promise<void> {
  const counts = dispatchCounts(spec.dispatches)
  for (const [n, count] of counts) expect(count, n).toBe(1)
  const judged = new Set<string>()
  for await (const batch of allowedPayloads(store)) for (const n of batch) judged.add(n)
  const unrecorded = [...counts.keys()].filter((n) => n.includes("-read-") && !judged.has(n))
  expect(unrecorded).toEqual([])
}

async function* allowedPayloads(store: Store): AsyncIterable<readonly string[]> {
  let after: { at: number; writer: string; seq: number } | undefined
  for (;;) {
    const page = await store.records({
      types: ["call.allowed"],
      limit: 1000,
      ...(after === undefined ? {} : { after }),
    })
    const last = page.at(-1)
    if (last === undefined) return
    yield page.map((record) => String((JSON.parse(record.payload ?? "{}") as { n?: string }).n))
    after = { at: last.at, writer: last.writer, seq: last.seq }
  }
}
