import type { Era } from "../wire/caller.ts"
import { type Health, LinkError } from "./link.ts"
import type { Setting } from "./upstream-options.ts"

/** Whether a server is well, and when a failing one is tried again. */
export type Life = {
  /** Tries something on the way to a connection, unless it is far too early. Nobody's request was sent, so it fails as unreachable. */
  readonly attempt: <Opened>(connect: () => Promise<Opened>) => Promise<Opened>
  /** A connection stands. */
  readonly connected: () => void
  /** A server that lived died: the next try waits. */
  readonly died: (error: LinkError) => void
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
  let failures = 0
  let retryAt: number | null = null
  let lastError: string | null = null
  let lastConnectedAt: number | null = null
  /** Since when it lives, until it fails. */
  let aliveSince: number | null = null
  let connecting = 0
  let stopped = false

  function state(links: number): Health["state"] {
    if (stopped) return "stopped"
    if (connecting > 0) return "connecting"
    if (lastError !== null) return "failing"
    return links > 0 ? "connected" : "idle"
  }

  async function turn(): Promise<void> {
    const waitMs = retryAt === null ? 0 : retryAt - now()
    if (waitMs > 0 && waitMs <= patienceMs) await new Promise((resolve) => setTimeout(resolve, waitMs))
    if (stopped)
      throw new LinkError(
        "unreachable",
        `The server ${JSON.stringify(id)} has been stopped. Nothing is sent to it until somebody starts it again.`,
      )
    if (waitMs <= patienceMs) return
    const seconds = Math.ceil(waitMs / 100) / 10
    throw new LinkError("unreachable", `${lastError ?? "The server failed."} It is tried again in ${seconds} s.`)
  }

  function failed(error: LinkError): void {
    lastError = error.message
    const at = now()
    // Several connections that fail together are one failure.
    if (retryAt !== null && at < retryAt) return
    if (aliveSince !== null && at - aliveSince > times.steadyMs) failures = 0
    aliveSince = null
    retryAt = at + Math.min(times.backOffMs * 2 ** failures, times.longestBackOffMs)
    failures = Math.min(failures + 1, 16)
  }

  return {
    attempt: async (connect) => {
      await turn()
      connecting++
      try {
        return await connect()
      } catch (error) {
        const known = asUnreachable(error)
        failed(known)
        throw known
      } finally {
        connecting--
      }
    },
    connected: () => {
      lastError = null
      retryAt = null
      lastConnectedAt = now()
      aliveSince ??= lastConnectedAt
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
      stopped = false
      failures = 0
      retryAt = null
      lastError = null
    },
    health: (era, links) => ({ state: state(links), era, lastConnectedAt, lastError, retryAt, links }),
  }
}

function asUnreachable(error: unknown): LinkError {
  if (error instanceof LinkError && error.code === "unreachable") return error
  const why = error instanceof Error ? error.message : String(error)
  return new LinkError("unreachable", why, { cause: error })
}
