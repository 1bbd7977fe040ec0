import type { Era } from "../wire/caller.ts"
import { type Account, createBackOffs } from "./back-offs.ts"
import { type Health, LinkError } from "./link.ts"
import type { Setting } from "./upstream-options.ts"

/** Whether a server is well, and when a failing one is tried again. */
export type Life = {
  /** Tries something on the way to a connection, unless it is far too early. Nobody's request was sent, so it fails as unreachable. */
  readonly attempt: <Opened>(account: Account, connect: () => Promise<Opened>) => Promise<Opened>
  /** A connection stands. */
  readonly connected: () => void
  /** A server that lived died: the next try on this account waits. */
  readonly died: (account: Account, error: LinkError) => void
  /** A request went wrong in a way that says something about the server, but is no reason to wait. */
  readonly ailing: (error: LinkError) => void
  /** The server answered. */
  readonly well: () => void
  /** Nothing is attempted from here on, until it is reset. */
  readonly stop: () => void
  /** It runs, and nothing is held against it any more. */
  readonly reset: () => void
  readonly health: (era: Era | null, links: number) => Health
}

/** A wait this short is waited: a person's yes is not spent on a server that is just being started again. */
const patienceMs = 2_000

export function createLife(setting: Setting): Life {
  const { times, now, id } = setting
  const backOffs = createBackOffs(times, now)
  /** The last error, and when the connection is tried again. */
  let lastError: string | null = null
  let retryAt: number | null = null
  let lastConnectedAt: number | null = null
  let connecting = 0
  let stopped = false
  let resets = 0

  function state(links: number): Health["state"] {
    if (stopped) return "stopped"
    if (connecting > 0) return "connecting"
    if (lastError !== null) return "failing"
    return links > 0 ? "connected" : "idle"
  }

  async function turn(account: Account): Promise<void> {
    const { retryAt: from, why } = backOffs.wait(account) ?? { retryAt: 0, why: "" }
    const waitMs = from - now()
    if (waitMs > 0 && waitMs <= patienceMs) await new Promise((resolve) => setTimeout(resolve, waitMs))
    if (stopped)
      throw new LinkError(
        "unreachable",
        `The server ${JSON.stringify(id)} has been stopped. Nothing is sent to it until somebody starts it again.`,
      )
    if (waitMs <= patienceMs) return
    const seconds = Math.ceil(waitMs / 100) / 10
    throw new LinkError("unreachable", `${why} It is tried again in ${seconds} s.`)
  }

  function failed(account: Account, error: LinkError): void {
    lastError = error.message
    retryAt = backOffs.failed(account, error.message)
  }

  return {
    attempt: async (account, connect) => {
      await turn(account)
      const before = resets
      connecting++
      try {
        const opened = await connect()
        backOffs.stands(account)
        return opened
      } catch (error) {
        const known = asUnreachable(error)
        // A connection that a restart broke off says nothing about the server.
        if (before === resets) failed(account, known)
        throw known
      } finally {
        connecting--
      }
    },
    connected: () => {
      lastError = null
      retryAt = null
      lastConnectedAt = now()
    },
    died: failed,
    ailing: (error) => {
      lastError = error.message
    },
    well: () => {
      if (retryAt === null) lastError = null
    },
    stop: () => {
      stopped = true
    },
    reset: () => {
      resets++
      stopped = false
      backOffs.clear()
      retryAt = null
      lastError = null
    },
    health: (era, links) => ({ state: state(links), era, lastConnectedAt, lastError, retryAt, links }),
  }
}

function asUnreachable(error: unknown): LinkError {
  if (error instanceof LinkError && error.code === "unreachable") return error
  const why = error instanceof Error ? error.message : String(error)
  return new LinkError("unreachable", why, { cause: error instanceof LinkError ? (error.cause ?? error) : error })
}
