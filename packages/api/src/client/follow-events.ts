import { ApiError } from "../api-error.ts"
import type { Problem } from "../problem.ts"
import type { EventView } from "../views/event-view.ts"
import type { Client } from "./create-client.ts"

export type FollowEventsOptions = {
  readonly client: Pick<Client, "events">
  /** The newest event already known; absent: from now on. */
  readonly after?: number
  readonly signal: AbortSignal
  readonly onEvent: (event: EventView) => void
  /** Each time the connection stands or falls, so that people see it. */
  readonly onConnected?: (connected: boolean) => void
  /** Waits before the next try. */
  readonly wait: (attempt: number) => Promise<void>
}

/**
 * Follows events across lost connections and restarts of the service, from where it stopped: none lost, none doubled.
 * Ends when told to, or with the problem when the service refuses.
 */
export async function followEvents(options: FollowEventsOptions): Promise<Problem | null> {
  let { after } = options
  for (let attempt = 0; !options.signal.aborted; attempt++) {
    if (attempt > 0) await options.wait(attempt)
    try {
      const from = after === undefined ? {} : { after }
      const reply = await options.client.events({ ...from, signal: options.signal })
      if (!reply.ok && reply.problem.status < 500) return reply.problem
      if (!reply.ok) continue
      options.onConnected?.(true)
      attempt = 0
      for await (const event of reply.value) {
        const isNew = after === undefined || event.seq > after
        if (isNew || event.type === "stream.reset") after = event.seq
        if (isNew || event.type.startsWith("stream.")) options.onEvent(event)
      }
    } catch (error) {
      if (error instanceof ApiError && error.code === "not-this-api") throw error
    }
    options.onConnected?.(false)
  }
  return null
}
