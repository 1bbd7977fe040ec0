// Submits, decides, runs and records without end, saying each step as it enters and leaves it, until it is killed.
import { readFileSync } from "node:fs"
import { flushCompileCache } from "node:module"
import type { Change, Store } from "@byleave/core"
import { callTo, loggingRun, openFaultGate, reviewer } from "../fault-gate.ts"
import { type KillPlan, type Step, stepOf } from "../kill-plan.ts"
import { say } from "../programs-talk.ts"
import { openFrom, type StoreSpec } from "../store-spec.ts"

const {
  spec,
  plan,
  run: name,
} = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as {
  spec: StoreSpec
  plan: KillPlan
  run: string
}

let left = plan.nth

function dieAt(step: Step, phase: KillPlan["phase"]): void {
  if (step !== plan.step || phase !== plan.phase) return
  left -= 1
  if (left === 0) process.kill(process.pid, "SIGKILL")
}

function watched(store: Store): Store {
  return {
    ...store,
    commit: async (change: Change) => {
      const step = stepOf(change)
      if (step === null) return store.commit(change)
      say({ enter: step })
      dieAt(step, "before")
      const committing = store.commit(change)
      if (plan.phase === "during") setImmediate(() => dieAt(step, "during"))
      const committed = await committing
      say({ leave: step })
      dieAt(step, "after")
      return committed
    },
  }
}

const store = watched(await openFrom(spec))
const gate = await openFaultGate(store)
// Usually kept when a process ends, which this one never does: the next victim starts in a third of the time.
flushCompileCache()
const run = loggingRun(spec)

async function oneHold(n: number): Promise<void> {
  const call = callTo("write", `${name}-write-${n}`)
  await gate.submit(call, run, {
    onHeld: (approval) => {
      say({ held: approval.id })
      void gate.answer({ approval: approval.id, kind: "approve", digest: approval.runDigest, reviewer })
    },
  })
}

const lanes = Array.from({ length: 4 }, async (_, lane) => {
  for (let n = lane; n < 10_000; n += 4) {
    await oneHold(n)
    await gate.submit(callTo("read", `${name}-read-${n}`), run)
  }
})
await Promise.all(lanes)
