import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { type Approval, type Call, type Run, verifyAudit } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { openSqliteStore } from "@byleave/store/sqlite"
import { ben, callOf, type Engine, holdCall, newId, openEngine, policyOf, signer, yes } from "./open-engine.ts"

export const write = callOf("files(write_file)", { path: "/ws/a", content: "x" })

/** Held, left by its caller with a ticket, and approved afterwards. */
export async function permitFor(engine: Pick<Engine, "gate" | "run">, call: Call = write): Promise<Approval> {
  const { approval, outcome } = await holdCall(engine, call, Promise.resolve())
  const given = await outcome
  if (given.kind !== "ticket") throw new Error(`expected a ticket, got ${given.kind}`)
  const answer = await engine.gate.answer(yes(approval))
  if (!answer.ok) throw new Error(answer.refusal.code)
  return answer.approval
}

export function order({ id, runDigest }: Approval, reviewer = ben) {
  return { approval: id, digest: runDigest, reviewer }
}

/** Two gates over one SQLite file, as two processes have: at one a reviewer has each call run while its agent comes back for it at the other. */
export async function raceForPermits(rounds: number) {
  const folder = mkdtempSync(join(tmpdir(), "byleave-race-"))
  const clock = { now: 1_800_000_000_000 }
  const open = async (): Promise<Engine> => {
    const path = join(folder, "race.db")
    const store = await openSqliteStore({ path, hasher: nodeHasher, signer, newId, now: () => clock.now })
    return openEngine(policyOf([]), { clock, store })
  }
  const [desk, gateway] = [await open(), await open()]
  const ran: number[] = []
  let byReviewer = 0
  for (let round = 0; round < rounds; round++) {
    ran.push(0)
    const run: Run = async () => {
      ran[round] = (ran[round] ?? 0) + 1
      return { kind: "succeeded", result: round }
    }
    const call = callOf("files(write_file)", { path: `/ws/${round}` })
    const permit = await permitFor({ gate: gateway.gate, run }, call)
    // Each has a head start of some turns of the event loop, or none.
    const [answer, back] = await Promise.all([
      turns(round % 3).then(() => desk.gate.runNow(order(permit), run)),
      turns(round % 11).then(() => gateway.gate.submit(call, run)),
    ])
    if (answer.ok) {
      byReviewer += 1
      await answer.ended
    }
    const isGiven = back.kind === "result" && back.result === round && back.approval === permit.id
    if (!isGiven) throw new Error(`round ${round}: the agent got ${JSON.stringify(back)}`)
  }
  const { problems } = await verifyAudit(desk.store, { hasher: nodeHasher, signer })
  for (const { gate, store } of [desk, gateway]) {
    await gate.close()
    await store.close()
  }
  rmSync(folder, { recursive: true })
  return { ran, byReviewer, problems }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate()
}
