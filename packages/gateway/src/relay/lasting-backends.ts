import { type Session, sessionKey } from "@byleave/core"
import type { Caller } from "../wire/caller.ts"
import { errorCode, errorReply } from "../wire/errors.ts"
import type { Backend, NoticeListener } from "../wire/exchange.ts"

export type LastingBackends = {
  readonly of: (current: () => Backend | undefined) => Backend
  /** Resolves when nothing runs any more, or after this long. */
  readonly idle: (withinMs: number) => Promise<void>
  /** Whether a client of this session has a stream open. */
  readonly isListening: (session: Pick<Session, "principal" | "id">) => boolean
}

const gone = errorReply(errorCode.internal, "This server is no longer configured here.")

/** Backends that stay when the servers behind them are replaced: conversations are older than configurations. Counts what runs, and sees who asks and who listens. */
export function createLastingBackends(see: (caller: Caller) => void): LastingBackends {
  let running = 0
  const streams = new Map<string, Set<NoticeListener>>()
  let quiet: (() => void) | null = null
  const must = (current: () => Backend | undefined): Backend => {
    const backend = current()
    if (backend === undefined) throw new Error(gone.kind === "error" ? gone.error.message : "")
    return backend
  }
  return {
    of: (current) => ({
      hello: async (caller) => {
        see(caller)
        return must(current).hello(caller)
      },
      handle: async (exchange) => {
        see(exchange.caller)
        running += 1
        try {
          return (await current()?.handle(exchange)) ?? gone
        } finally {
          running -= 1
          if (running === 0) quiet?.()
        }
      },
      note: (caller, notice) => current()?.note(caller, notice) ?? null,
      attend: async (caller, listener) => {
        const leave = await must(current).attend(caller, listener)
        const forget = remember(streams, sessionKey(caller.session), listener)
        return () => {
          forget()
          leave()
        }
      },
      leave: async (caller, why) => current()?.leave(caller, why),
    }),
    isListening: (session) =>
      [...(streams.get(sessionKey(session)) ?? [])].some(({ isOpen }) => isOpen === undefined || isOpen()),
    idle: (withinMs) => {
      if (running === 0) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, withinMs)
        quiet = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
  }
}

function remember(streams: Map<string, Set<NoticeListener>>, key: string, listener: NoticeListener): () => void {
  const all = streams.get(key) ?? new Set()
  streams.set(key, all.add(listener))
  return () => {
    all.delete(listener)
    if (all.size === 0 && streams.get(key) === all) streams.delete(key)
  }
}
