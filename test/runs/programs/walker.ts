// Carries a run out, and dies where it is told to.
import { readFileSync } from "node:fs"
import { flushCompileCache } from "node:module"
import type { Change, Store } from "@byleave/core"
import { say, sayLast, waitForGo } from "../../faults/programs-talk.ts"
import { openFrom, type StoreSpec } from "../../faults/store-spec.ts"
import type { Death } from "../run-deaths.ts"
import { isStep, openWalker, walkOn } from "../walk.ts"

const { spec, death, ahead, races } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as {
  spec: StoreSpec
  death: Death | null
  ahead: number
  /** Waits until it is told to go. */
  races?: true
}

const seen = { commits: 0, dispatches: 0 }

function die(): void {
  process.kill(process.pid, "SIGKILL")
}

function mortal(store: Store): Store {
  return {
    ...store,
    commit: async (change: Change) => {
      if (!isStep(change)) return store.commit(change)
      seen.commits += 1
      const isHere = death?.at === "commit" && death.nth === seen.commits
      if (isHere && death.phase === "before") die()
      const committing = store.commit(change)
      if (isHere && death.phase === "during") setImmediate(die)
      const committed = await committing
      if (isHere) die()
      return committed
    },
  }
}

const store = mortal(await openFrom(spec))
const walker = await openWalker({
  store,
  spec,
  ahead,
  onDispatch: () => {
    seen.dispatches += 1
    if (death?.at === "dispatch" && death.nth === seen.dispatches) die()
  },
})
// Usually kept when a process ends, which this one rarely does.
flushCompileCache()
if (races === true) await waitForGo()
else say("ready")
const run = await walkOn(walker)
await walker.runs.close()
await walker.gate.close()
await store.close()
sayLast({ run, ...seen })
