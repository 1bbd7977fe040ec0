import { sseKeepAlive } from "../wire/sse-frame.ts"
import type { FrontResponse } from "./front-message.ts"

/**
 * One timer for all open streams, however many are held.
 *
 * I1. A stream that was ended is written to no more, though its connection may take long to close.
 */
export type KeepAlive = {
  readonly add: (response: FrontResponse) => void
  readonly remove: (response: FrontResponse) => void
}

export function createKeepAlive(everyMs: number): KeepAlive & { readonly stop: () => void } {
  const open = new Set<FrontResponse>()
  let timer: NodeJS.Timeout | undefined
  return {
    add: (response) => {
      open.add(response)
      timer ??= setInterval(beat, everyMs).unref()
    },
    remove,
    stop,
  }

  function beat(): void {
    for (const response of open) {
      if (response.writableEnded || response.destroyed) remove(response)
      else response.write(sseKeepAlive)
    }
  }

  function remove(response: FrontResponse): void {
    open.delete(response)
    if (open.size === 0) stop()
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }
}
