import { textAt } from "@byleave/core"
import type { Ask, Notice, Reply } from "../wire/message.ts"
import { isServerChange } from "./era/notice-kind.ts"
import type { LinkListener } from "./link.ts"
import type { StandingClient } from "./question-routes.ts"

/** The listeners of messages that belong to no request. */
export type LinkListeners = {
  /** A listener added after the end is told of the end. */
  readonly add: (listener: LinkListener) => () => void
  readonly tell: (notice: Notice) => void
  /** Asks the listener that came last; null if there is none. */
  readonly ask: (ask: Ask) => Promise<Reply> | null
  /** The client of the one that came last; null if there is none. */
  readonly standing: () => StandingClient | null
  readonly doubt: () => void
  readonly end: () => void
}

/**
 * Equal changes are told at once and then at most once in `coalesceMs`, with nothing lost at the end of a storm. `guard`: runs what nobody waits for, and ends
 * the connection where that throws.
 */
export function createListeners(coalesceMs: number, guard: (work: () => void) => void): LinkListeners {
  const all = new Set<LinkListener>()
  let isOver = false
  const quiet = new Map<string, { timer: NodeJS.Timeout; next: Notice | undefined }>()

  function tellAll(notice: Notice): void {
    for (const listener of [...all]) listener.onNotice(notice)
  }

  function settle(key: string): void {
    const waiting = quiet.get(key)
    quiet.delete(key)
    if (waiting?.next !== undefined) tell(waiting.next)
  }

  function tell(notice: Notice): void {
    if (isServerChange(notice.method)) tellInTime(notice)
    else tellAll(notice)
  }

  function tellInTime(notice: Notice): void {
    const key = `${notice.method} ${textAt(notice.params, "uri") ?? ""}`
    const waiting = quiet.get(key)
    if (waiting !== undefined) {
      waiting.next = notice
      return
    }
    quiet.set(key, { timer: setTimeout(() => guard(() => settle(key)), coalesceMs).unref(), next: undefined })
    tellAll(notice)
  }

  return {
    add: (listener) => {
      if (isOver) listener.onEnd()
      else all.add(listener)
      return () => all.delete(listener)
    },
    tell,
    doubt: () =>
      guard(() => {
        for (const listener of [...all]) listener.onDoubt?.()
      }),
    ask: (ask) => [...all].at(-1)?.onInquiry(ask) ?? null,
    standing: () => [...all].at(-1)?.standing?.() ?? null,
    end: () => {
      isOver = true
      for (const { timer } of quiet.values()) clearTimeout(timer)
      quiet.clear()
      const last = [...all]
      all.clear()
      for (const listener of last) listener.onEnd()
    },
  }
}
