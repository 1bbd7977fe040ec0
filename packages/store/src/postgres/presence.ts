/**
 * The presence of processes. Each process holds a lock of its own on the connection it listens on, which the server frees when that process
 * dies: others then know at once, where a lease alone would let the dead count as alive until it lapses.
 *
 * I1. Whoever's lock is gone, and stays gone, is gone, whatever its lease says.
 * I2. A lapsed lease is the end, whatever locks say: a machine that vanished leaves its connections open for long.
 * I3. Where connections were cut all at once (this one too, or the server is new), a missing lock says nothing and leases alone count.
 */
import { setTimeout as delay } from "node:timers/promises"
import { type EpochMs, type Hasher, StoreError } from "@byleave/core"
import type { ClientBase } from "pg"
import { keyText, nameOf } from "../key-text.ts"
import type { Elapsed } from "../steady-time.ts"
import type { Statements } from "./commit/statements.ts"
import type { Connections } from "./connections.ts"

export type PresencePorts = {
  readonly read: Connections["read"]
  readonly sql: Statements
  readonly hasher: Hasher
  readonly schema: string
  readonly writer: string
  readonly elapsed: Elapsed
}

export type Presence = {
  /** Takes this process's lock on a new connection. */
  readonly show: (client: ClientBase) => Promise<void>
  /** The connection broke; `show` is called with the next one, too. */
  readonly cut: () => void
  /** Says that this process is there until then. Others see its lock before it says so for the first time. */
  readonly stayAlive: (until: EpochMs) => Promise<void>
  /** This process holds nobody any more. */
  readonly leave: () => Promise<void>
  readonly alive: (now: EpochMs) => Promise<readonly string[]>
}

/** A process that merely lost its connection has a new one by then. */
const reconnectMs = 1_000
const lookMs = 100
/** After a cut of everything, all who live are back by then. */
const calmMs = 10_000
const firstShownMs = 5_000

export function createPresence({ read, sql, hasher, schema, writer, elapsed }: PresencePorts): Presence {
  const shown = Promise.withResolvers<void>()
  let cutAt = Number.NEGATIVE_INFINITY
  const keyOf = (name: string): string => lockKey(hasher.sha256(`${schema}\n${name}`))

  const missing = async (names: readonly string[]): Promise<readonly string[]> => {
    const locks = await read<{ key: string; server_ms: number }>(sql.presences)
    const held = new Set(locks.map(({ key }) => key))
    const serverMs = locks[0]?.server_ms ?? 0
    const isCalm = held.has(keyOf(writer)) && elapsed() - cutAt >= calmMs && serverMs >= calmMs
    return isCalm ? names.filter((name) => !held.has(keyOf(name))) : []
  }
  const gone = async (names: readonly string[]): Promise<readonly string[]> => {
    let absent = await missing(names)
    for (let waited = 0; absent.length > 0 && waited < reconnectMs; waited += lookMs) {
      await delay(lookMs)
      absent = await missing(absent)
    }
    return absent
  }
  return {
    show: async (client) => {
      await client.query("SELECT pg_advisory_lock_shared($1)", [keyOf(writer)])
      shown.resolve()
    },
    cut: () => {
      cutAt = elapsed()
    },
    stayAlive: async (until) => {
      await within(firstShownMs, shown.promise)
      await read(sql.stayAlive, [keyText(writer), until])
    },
    leave: async () => {
      await read(sql.stayAlive, [keyText(writer), 0])
    },
    alive: async (now) => {
      const leased = (await read<{ writer: string }>(sql.alive, [now])).map((row) => nameOf(row.writer))
      const absent = new Set(await gone(leased))
      return leased.filter((name) => !absent.has(name))
    },
  }
}

/** The server names a lock by 64 bits. */
function lockKey(hash: string): string {
  return BigInt.asIntN(64, BigInt(`0x${hash.slice(0, 16)}`)).toString()
}

async function within(ms: number, shown: Promise<void>): Promise<void> {
  const enough = new AbortController()
  const late = delay(ms, undefined, { signal: enough.signal }).then(() => {
    throw new StoreError("unavailable", "the database gives no connection to listen on. Allow it more connections.")
  })
  try {
    await Promise.race([shown, late])
  } finally {
    enough.abort()
    late.catch(() => {})
  }
}
