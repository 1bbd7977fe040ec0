/**
 * When something that failed is tried again: later after each failure.
 *
 * I1. A failure keeps nobody waiting but those on whose account it was.
 * I2. However many accounts a principal fails on, only so many are kept, and none of another principal's goes for them.
 */
import type { LinkFor } from "./link.ts"
import type { UpstreamTimes } from "./upstream-options.ts"

/** Whose failure it is: of a principal, by what it declares to the server. No principal: of all who declare nothing of their own. */
export type Account = { readonly principal: string | null; readonly words: string }

/** The account of requests that carry no client's declarations, such as the question which era a server speaks. */
export const everyones: Account = { principal: null, words: "" }

export function accountOf({ principal, version, abilities }: LinkFor): Account {
  return { principal, words: JSON.stringify([version, abilities]) }
}

export type BackOffs = {
  /** Until when, and why. */
  readonly wait: (account: Account) => { readonly retryAt: number; readonly why: string } | null
  /** Gives when it is tried again. */
  readonly failed: (account: Account, why: string) => number
  /** It went well: nobody waits, and a failure soon after is one more in a row. */
  readonly stands: (account: Account) => void
  readonly clear: () => void
}

type BackOff = { failures: number; retryAt: number | null; aliveSince: number | null; why: string }

const mostPerPrincipal = 16

export function createBackOffs(times: UpstreamTimes, now: () => number): BackOffs {
  const kept = new Map<string | null, Map<string, BackOff>>()
  const find = ({ principal, words }: Account): BackOff | undefined => kept.get(principal)?.get(words)

  function keep({ principal, words }: Account): BackOff {
    const theirs = kept.get(principal) ?? new Map<string, BackOff>()
    kept.set(principal, theirs)
    const backOff = theirs.get(words) ?? { failures: 0, retryAt: null, aliveSince: null, why: "" }
    // The latest failure is last in the map, so that the oldest one is dropped first.
    theirs.delete(words)
    theirs.set(words, backOff)
    for (const oldest of theirs.keys()) {
      if (theirs.size <= mostPerPrincipal) break
      theirs.delete(oldest)
    }
    return backOff
  }

  return {
    wait: (account) => {
      const { retryAt = null, why = "" } = find(account) ?? {}
      return retryAt === null ? null : { retryAt, why }
    },
    failed: (account, why) => {
      const at = now()
      const backOff = keep(account)
      backOff.why = why
      // Several connections that fail together are one failure.
      if (backOff.retryAt !== null && at < backOff.retryAt) return backOff.retryAt
      if (backOff.aliveSince !== null && at - backOff.aliveSince > times.steadyMs) backOff.failures = 0
      backOff.aliveSince = null
      backOff.retryAt = at + Math.min(times.backOffMs * 2 ** backOff.failures, times.longestBackOffMs)
      backOff.failures = Math.min(backOff.failures + 1, 16)
      return backOff.retryAt
    },
    stands: (account) => {
      const backOff = find(account)
      if (backOff === undefined) return
      backOff.retryAt = null
      backOff.aliveSince ??= now()
    },
    clear: () => kept.clear(),
  }
}
