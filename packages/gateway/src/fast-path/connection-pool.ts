/**
 * The connections to one server that speaks plain HTTP: as many as there are requests at once, which whoever sends them bounds.
 *
 * I1. Of the connections that carry nothing, no more are kept than allowed.
 * I2. An exchange that was stopped before its connection stood is never sent.
 * I3. A connection that was quiet for too long carries nothing more.
 */
import { type ClientConnection, openClientConnection, type PostExchange } from "./client-connection.ts"

export type PoolOptions = {
  readonly host: string
  readonly port: number
  readonly connectMs: number
  readonly quietMs: number
  /** How many connections that carry nothing are kept. */
  readonly mostFree: number
  /** The server ended a connection that carried nothing. */
  readonly onEnded: () => void
}

export type ConnectionPool = {
  /** Carries it; the returned function ends it, silently. */
  readonly carry: (exchange: PostExchange) => () => void
  readonly close: () => void
}

export function createConnectionPool(options: PoolOptions): ConnectionPool {
  const open = new Set<ClientConnection>()
  // The one that was used last is used next, so that those nobody needs grow old.
  const free: ClientConnection[] = []
  let sweeper: NodeJS.Timeout | null = null

  function freeConnection(): ClientConnection | undefined {
    const now = performance.now()
    for (let last = free.pop(); last !== undefined; last = free.pop()) {
      if (last.isFresh(now)) return last
      last.destroy()
    }
    return undefined
  }

  function newConnection(): ClientConnection {
    const connection: ClientConnection = openClientConnection({
      ...options,
      onFree: () => keep(connection),
      onGone: () => lose(connection),
    })
    open.add(connection)
    return connection
  }

  function keep(connection: ClientConnection): void {
    if (free.length >= options.mostFree) connection.destroy()
    else {
      free.push(connection)
      sweeper ??= setInterval(sweep, options.quietMs / 4).unref()
    }
  }

  function sweep(): void {
    const now = performance.now()
    for (const connection of free.splice(0)) {
      if (connection.isFresh(now)) free.push(connection)
      else connection.destroy()
    }
    if (free.length > 0 || sweeper === null) return
    clearInterval(sweeper)
    sweeper = null
  }

  function lose(connection: ClientConnection): void {
    open.delete(connection)
    const at = free.indexOf(connection)
    if (at < 0) return
    free.splice(at, 1)
    options.onEnded()
  }

  return {
    carry: (exchange) => {
      const connection = freeConnection() ?? newConnection()
      connection.carry(exchange)
      return () => connection.stop(exchange)
    },
    close: () => {
      if (sweeper !== null) clearInterval(sweeper)
      free.length = 0
      for (const connection of [...open]) connection.destroy()
    },
  }
}
