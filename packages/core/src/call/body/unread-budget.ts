/**
 * Bounds the memory of answers that nobody reads: a sender may ask for many and read none of them. All who write answers share one budget.
 *
 * I1. One principal leaves no more unread than its limit, and nobody else's counts for it; only a single answer may be larger.
 * I2. All together leave no more unread than the limit for all: beyond it, whoever leaves most unread loses the largest of its answers.
 * I3. What was begun and is read, however slowly, gives way to no answer of its principal that can be asked for again.
 */
import type { EpochMs } from "../call.ts"

/** In bytes. Smaller answers are not counted: how many there are at once is bounded elsewhere. */
export const largeAnswer = 64 * 1024

/** In bytes. */
export type UnreadLimits = { readonly perPrincipal: number; readonly inAll: number }

/** `perPrincipal`: twice what the largest agent run has. */
export const defaultUnreadLimits: UnreadLimits = { perPrincipal: 128 * 1024 * 1024, inAll: 512 * 1024 * 1024 }

/** An answer of which nobody has read for so long counts as given up, where others of its principal need room. */
const givenUpMs = 60_000

export type UnreadAnswer = {
  readonly principal: string
  /** What is kept of it now because it was not read. */
  readonly bytes: () => number
  /** When some of it was last read; absent where nobody knows. */
  readonly readAt?: () => EpochMs
  /** Ends its connection: what is unread is lost. */
  readonly breakOff: () => void
}

/** The answers that give way to more: those that were given up, or any of the same principal. */
export type GivingWay = "given-up" | "any"

export type UnreadBudget = {
  /** Counts it until it is closed. */
  readonly open: (answer: UnreadAnswer) => void
  readonly close: (answer: UnreadAnswer) => void
  /**
   * Makes room for so many bytes more, or none for what was just written. `kept`: what is kept for the principal besides. False: there is not
   * enough, and nothing of the principal gave way.
   */
  readonly makeRoom: (principal: string, bytes: number, from: GivingWay, kept?: number) => boolean
}

export function createUnreadBudget(now: () => EpochMs, limits = defaultUnreadLimits): UnreadBudget {
  const open = new Set<UnreadAnswer>()
  const breakOff = (answer: UnreadAnswer): void => {
    open.delete(answer)
    answer.breakOff()
  }
  const ownOf = (principal: string): UnreadAnswer[] => [...open].filter((each) => each.principal === principal)
  const isGivenUp = ({ readAt }: UnreadAnswer): boolean => readAt !== undefined && now() - readAt() >= givenUpMs
  const makeOwnRoom = (principal: string, bytes: number, from: GivingWay, kept: number): boolean => {
    const own = ownOf(principal)
    let excess = bytesOf(own) + kept + bytes - Math.max(limits.perPrincipal, bytes)
    if (excess <= 0) return true
    const giving = from === "any" ? own : own.filter(isGivenUp)
    if (bytesOf(giving) < excess) return false
    for (const each of largestFirst(giving)) {
      if (excess <= 0) break
      excess -= each.bytes()
      breakOff(each)
    }
    return true
  }
  const makeRoomInAll = (principal: string, bytes: number, from: GivingWay): boolean => {
    for (;;) {
      if (bytesOf([...open]) + bytes <= Math.max(limits.inAll, bytes)) return true
      const shares = new Map([[principal, bytes]])
      for (const each of open) shares.set(each.principal, (shares.get(each.principal) ?? 0) + each.bytes())
      const [most = principal] = [...shares].toSorted(([, a], [, b]) => b - a)[0] ?? []
      const [largest] = largestFirst(ownOf(most))
      if (largest === undefined || (most === principal && from === "given-up")) return false
      breakOff(largest)
    }
  }
  return {
    open: (answer) => void open.add(answer),
    close: (answer) => void open.delete(answer),
    makeRoom: (principal, bytes, from, kept = 0) =>
      makeOwnRoom(principal, bytes, from, kept) && makeRoomInAll(principal, bytes, from),
  }
}

function bytesOf(answers: readonly UnreadAnswer[]): number {
  return answers.reduce((sum, { bytes }) => sum + bytes(), 0)
}

function largestFirst(answers: readonly UnreadAnswer[]): readonly UnreadAnswer[] {
  return answers.toSorted((a, b) => b.bytes() - a.bytes())
}
