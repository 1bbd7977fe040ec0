import type { Caller } from "../wire/caller.ts"
import { errorCode, errorReply } from "../wire/errors.ts"
import type { Backend } from "../wire/exchange.ts"

export type Standing = {
  readonly of: (current: () => Backend | undefined) => Backend
  /** Resolves when nothing runs any more, or after this long. */
  readonly idle: (withinMs: number) => Promise<void>
}

const gone = errorReply(errorCode.internal, "This server is no longer configured here.")

/** Backends that stay when the servers behind them are replaced: conversations are older than configurations. Counts what runs, and sees who asks. */
export function createStanding(see: (caller: Caller) => void): Standing {
  let running = 0
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
      note: async (caller, notice) => current()?.note(caller, notice),
      attend: async (caller, attendance) => must(current).attend(caller, attendance),
      leave: async (caller) => current()?.leave(caller),
    }),
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
