// Runs what is approved, as fast as it can, against others doing the same.
import { readFileSync } from "node:fs"
import { callAgain, loggingRun, openFaultGate } from "../fault-gate.ts"
import { sayLast, waitForGo } from "../programs-talk.ts"
import { openFrom, type StoreSpec } from "../store-spec.ts"

const { spec, ids } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as { spec: StoreSpec; ids: string[] }
const store = await openFrom(spec)
const gate = await openFaultGate(store)
await waitForGo()
let ran = 0
const run = loggingRun(spec)
const shuffled = ids.map((id) => ({ id, at: Math.random() })).sort((a, b) => a.at - b.at)
for (const { id } of shuffled) {
  const approval = await gate.approval(id)
  if (approval === undefined) throw new Error(`${id} is gone`)
  // Runs are counted, not results: who comes while another runs it, or before the receipt is on record, is given the same one.
  await gate.attach(id, callAgain(approval), (...given) => {
    ran += 1
    return run(...given)
  })
}
await gate.close()
await store.close()
sayLast({ ran })
