import type { StoreEvent } from "@byleave/core"
import { gatePaths } from "./gate-paths.ts"
import type { GateTransport } from "./gate-transport.ts"

const mayHaveChanged: StoreEvent = { type: "policy.changed", subject: "", seq: 0, at: 0 }

/** Follows the service's change events while someone listens. In a gap, and after it, everything may have changed, so a policy change is reported. */
export function followEvents(
  transport: GateTransport,
  pause: (ms: number) => Promise<void>,
  listener: (event: StoreEvent) => void,
): () => void {
  const stopped = new AbortController()
  void (async () => {
    for (let wait = 250; !stopped.signal.aborted; wait = Math.min(wait * 2, 10_000)) {
      const onLine = (line: string): void => {
        wait = 250
        listener(JSON.parse(line) as StoreEvent)
      }
      await transport.get(gatePaths.events, { onLine, signal: stopped.signal }).catch(() => undefined)
      if (stopped.signal.aborted) return
      // At once: what is about to be sent is asked about again from now on.
      listener(mayHaveChanged)
      await pause(wait)
      listener(mayHaveChanged)
    }
  })()
  return () => stopped.abort()
}
