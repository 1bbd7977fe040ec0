// Runs what is approved, as fast as it can, against seven others doing the same.
import { readFileSync } from "node:fs"
import { callAgain, loggingRun, openFaultGate } from "../fault-gate.ts"
import { sayLast, waitForGo } from "../programs-talk.ts"
import { openFrom, type StoreSpec } from "../store-spec.ts"

const { spec, ids } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as { spec: StoreSpec; ids: string[] }
const store = await openFrom(spec)
const gate = await openFaultGate(store)
await waitForGo()
let ran = 0
const shuffled = ids.map((id) => ({ id, at: Math.random() })).sort((a, b) => a.at - b.at)
for (const { id } of shuffled) {
  const approval = await gate.approval(id)
  if (approval === undefined) throw new Error(`${id} is gone`)
  const outcome = await gate.attach(id, callAgain(approval), loggingRun(spec))
  // Who finds an outcome whose receipt is not on record yet is given it, too, and told that it is late: that ran nothing.
  if (outcome?.kind === "result" && !outcome.notes.includes("delivered-late")) ran += 1
}
await gate.close()
await store.close()
sayLast({ ran })
