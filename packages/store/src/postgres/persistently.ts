import { setTimeout as delay } from "node:timers/promises"
import { failureOf, storeErrorOf } from "./store-error-of.ts"

const attempts = 6
const firstPauseMs = 20
/** After this long somebody waiting for an answer is better served by a no. */
const patienceMs = 5_000

/** Repeats work that was refused for want of a lock or lost with its connection, a few times and not for long. */
export async function persistently<Result>(work: () => Promise<Result>): Promise<Result> {
  const started = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (cause) {
      const late = attempt === attempts || performance.now() - started > patienceMs
      if (late || failureOf(cause) === "refused") throw storeErrorOf(cause)
      // Uneven pauses, so that those who met once do not meet again.
      await delay(firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }
}
