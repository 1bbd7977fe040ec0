import type { EventView } from "@byleave/api"

type Batches = {
  readonly add: (event: EventView) => void
  /** Drops what has gathered. */
  readonly stop: () => void
}

type BatchTimer = (work: () => void, ms: number) => () => void

/** Gathers events, and tells them together: the first at once, the others at most every `everyMs`. Under load the page works as often as at rest. */
export function eventBatches(options: {
  readonly everyMs: number
  readonly later: BatchTimer
  readonly tell: (events: readonly EventView[]) => void
}): Batches {
  let gathered: EventView[] = []
  let cancel: (() => void) | null = null
  const rest = (): void => {
    cancel = null
    if (gathered.length > 0) flush()
  }
  const flush = (): void => {
    const events = gathered
    gathered = []
    cancel = options.later(rest, options.everyMs)
    options.tell(events)
  }
  return {
    add: (event) => {
      gathered.push(event)
      // A turn later even at rest: what arrives together is told together.
      cancel ??= options.later(rest, 0)
    },
    stop: () => {
      cancel?.()
      cancel = null
      gathered = []
    },
  }
}
