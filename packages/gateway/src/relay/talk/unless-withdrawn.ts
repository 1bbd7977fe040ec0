import { LinkError } from "../../upstream/link.ts"
import { type Signal, unlessAborted } from "../../wire/signal.ts"

const pauseMs = 250

function withdrawn(): LinkError {
  return new LinkError("withdrawn", "The caller withdrew while the server was still at it.")
}

/** Waits for the work, but no longer than its caller does. */
export function unlessWithdrawn<T>(signal: Signal, work: Promise<T>): Promise<T> {
  return unlessAborted(signal, work, () => Promise.reject(withdrawn()))
}

/** Waits so long, but no longer than its caller does. */
export function pause(signal: Signal, ms = pauseMs): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(withdrawn())
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
  })
}
