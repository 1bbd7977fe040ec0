import type { RunEventView } from "@byleave/api"
import { applyRunEvent, type LiveLeg, type LiveStep } from "./live-leg.ts"

/** As often as a model's words are drawn; the first of a leg, and the first after a pause, at once. */
const drawMs = 50
const retryMs = 2_000

type FollowLegOptions = {
  /** Opens the run's stream, which tells the leg under way from its beginning; null: the service tells nothing of the run. */
  readonly open: (signal: AbortSignal) => Promise<AsyncIterable<RunEventView> | null>
  readonly signal: AbortSignal
  readonly onLive: (live: LiveLeg) => void
}

/** Tells of the leg under way until the signal, and connects again when the stream is lost. */
export async function followLeg({ open, signal, onLive }: FollowLegOptions): Promise<void> {
  while (!signal.aborted) {
    try {
      const events = await open(signal)
      if (events === null) return
      await drawEvents(events, signal, onLive)
    } catch {
      // The connection was lost: the next one tells the leg from its beginning.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

async function drawEvents(
  events: AsyncIterable<RunEventView>,
  signal: AbortSignal,
  onLive: (live: LiveLeg) => void,
): Promise<void> {
  let live: LiveLeg | null = null
  let isDue = false
  let drawnAt = 0
  const draw = (): void => {
    isDue = false
    // A step that has only begun shows nothing: its first words are not to wait for it.
    if (live?.steps.some(hasWords) === true) drawnAt = performance.now()
    if (live !== null && !signal.aborted) onLive(live)
  }
  for await (const event of events) {
    if (event.type !== "part" && event.type !== "retry") continue
    live = applyRunEvent(live, event)
    if (isDue) continue
    isDue = true
    setTimeout(draw, Math.max(0, drawnAt + drawMs - performance.now()))
  }
}

function hasWords({ text, reasoning, calls }: LiveStep): boolean {
  return text !== "" || reasoning !== "" || calls.length > 0
}
