import { PerformanceObserver } from "node:perf_hooks"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

/** Both halves of the space where the engine puts what is new. With less, what a call needs is moved about while it is still in use. */
const enoughForNew = 16 * 1024 * 1024

/**
 * Lets the engine's heap grow with what is alive and not with what passes through. By itself it takes up to 100 MB for what is new alone, and
 * lets the rest grow several times over before it looks for garbage. How far new space grows is settled when the engine starts; how fast, at each growth.
 */
export function leanHeap(): void {
  setFlagsFromString("--heap-growing-percent=100")
  // New space is small: waking other threads to help empty it costs more than they help.
  setFlagsFromString("--no-parallel-scavenge")
  setFlagsFromString("--no-concurrent-array-buffer-sweeping")
  let grows = true
  new PerformanceObserver(() => {
    const mayGrow = newSpace() < enoughForNew
    if (mayGrow === grows) return
    grows = mayGrow
    setFlagsFromString(`--semi-space-growth-factor=${grows ? 2 : 1}`)
  }).observe({ entryTypes: ["gc"] })
}

function newSpace(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? enoughForNew
}
