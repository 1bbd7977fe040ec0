/**
 * The connections to one server that speaks plain HTTP.
 *
 * I1. There are never more connections than allowed.
 * I2. An exchange that was stopped while it waited is never sent.
 * I3. A connection that was quiet for too long carries nothing more.
 */
import { openConnection, type PlainConnection, type PlainExchange } from "./plain-connection.ts"

export type PoolOptions = {
  readonly host: string
  readonly port: number
  readonly connectMs: number
  readonly quietMs: number
  readonly mostConnections: number
}

/** The connections to one server. */
export type PlainPool = {
  /** Carries it, now or when one of the connections is free; the returned function ends it, silently. */
  readonly carry: (exchange: PlainExchange) => () => void
  readonly close: () => void
}

export function createPool(options: PoolOptions): PlainPool {
  const open = new Set<PlainConnection>()
  // The one that was used last is used next, so that those nobody needs grow old.
  const free: PlainConnection[] = []
  const waiting = new Set<(connection: PlainConnection) => void>()
  let sweeper: NodeJS.Timeout | null = null

  function freeConnection(): PlainConnection | undefined {
    const now = performance.now()
    for (let last = free.pop(); last !== undefined; last = free.pop()) {
      if (last.isFresh(now)) return last
      last.destroy()
    }
    return undefined
  }

  function newConnection(): PlainConnection {
    const connection: PlainConnection = openConnection({
      ...options,
      onFree: () => {
        const [next] = waiting
        if (next === undefined) return keep(connection)
        waiting.delete(next)
        next(connection)
      },
      onGone: () => lose(connection),
    })
    open.add(connection)
    return connection
  }

  function keep(connection: PlainConnection): void {
    free.push(connection)
    sweeper ??= setInterval(sweep, options.quietMs / 4).unref()
  }

  function sweep(): void {
    const now = performance.now()
    for (const connection of [...free]) if (!connection.isFresh(now)) connection.destroy()
    if (free.length > 0 || sweeper === null) return
    clearInterval(sweeper)
    sweeper = null
  }

  function lose(connection: PlainConnection): void {
    open.delete(connection)
    const at = free.indexOf(connection)
    if (at >= 0) free.splice(at, 1)
    const [next] = waiting
    if (next === undefined || open.size >= options.mostConnections) return
    waiting.delete(next)
    next(newConnection())
  }

  return {
    carry: (exchange) => {
      let on: PlainConnection | undefined
      const begin = (connection: PlainConnection): void => {
        on = connection
        connection.carry(exchange)
      }
      const connection = freeConnection() ?? (open.size < options.mostConnections ? newConnection() : undefined)
      if (connection === undefined) waiting.add(begin)
      else begin(connection)
      return () => {
        waiting.delete(begin)
        on?.stop(exchange)
      }
    },
    close: () => {
      if (sweeper !== null) clearInterval(sweeper)
      waiting.clear()
      for (const connection of [...open]) connection.destroy()
    },
  }
}
