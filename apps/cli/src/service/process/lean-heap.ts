import { PerformanceObserver } from "node:perf_hooks"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

/** Both halves of the space where the engine puts what is new. With less, what a call needs is moved about while it is still in use. */
const enoughForNew = 16 * 1024 * 1024
/** An idle engine gives new space back, and must be let grow again. */
const lookAgainMs = 5_000

/**
 * Lets the engine's heap grow with what is alive and not with what passes through. By itself it takes up to 100 MB for what is new alone, and
 * lets the rest grow several times over before it looks for garbage. How far new space grows is settled when the engine starts; how fast, at each growth.
 */
export function leanHeap(): void {
  setFlagsFromString("--heap-growing-percent=100")
  // New space is small: waking other threads to help empty it costs more than they help.
  setFlagsFromString("--no-parallel-scavenge")
  setFlagsFromString("--no-concurrent-array-buffer-sweeping")
  growToEnough()
}

/** Each look takes longer than a call: it is looked at after every collection only while it grows. */
function growToEnough(): void {
  setFlagsFromString("--semi-space-growth-factor=2")
  const observer = new PerformanceObserver(() => {
    if (newSpace() < enoughForNew) return
    setFlagsFromString("--semi-space-growth-factor=1")
    observer.disconnect()
    growAgainOnceSmall()
  })
  observer.observe({ entryTypes: ["gc"] })
}

function growAgainOnceSmall(): void {
  const timer = setInterval(() => {
    if (newSpace() >= enoughForNew) return
    clearInterval(timer)
    growToEnough()
  }, lookAgainMs).unref()
}

function newSpace(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? enoughForNew
}
