import { createIndexedList } from "../../wire/indexed-list.ts"
import type { HttpCall } from "./http-call.ts"

/** A stream should end after its answer; one that does not is ended. */
export type LingeringStreams = {
  readonly add: (call: HttpCall) => void
  /** Its stream has ended. */
  readonly remove: (call: HttpCall) => void
}

const lingerMs = 2_000

/** One timer for all of them: nearly every stream ends a moment after its answer, and to start and stop a timer for that costs more than to read the answer. */
export function createLingeringStreams(): LingeringStreams {
  const streams = createIndexedList<HttpCall>()
  let sweeper: NodeJS.Timeout | undefined
  return {
    add: (call) => {
      call.answeredAt = performance.now()
      streams.add(call)
      sweeper ??= setInterval(sweep, lingerMs / 4).unref()
    },
    remove: streams.remove,
  }

  function sweep(): void {
    const before = performance.now() - lingerMs
    for (const call of streams.all()) {
      if (call.answeredAt > before) continue
      streams.remove(call)
      call.stop()
    }
    if (streams.size() > 0) return
    clearInterval(sweeper)
    sweeper = undefined
  }
}
