/**
 * Bounds the memory of request bodies, from their first byte until they are done with. All readers of bodies share one budget, so that many
 * slow requests, each within its own limit, do not fill the memory.
 *
 * The first 16 KiB of a body are free: a cancellation or a small call arrives also when nothing else does. How many requests there are at once
 * is bounded elsewhere.
 *
 * I1. What one principal sends beyond its limit is refused, and nobody else's. Programs that share a principal share its limit: one alone may have
 *     all of it, and leaves room for the others.
 * I2. What all send together beyond the limit for all is refused.
 * I3. What was counted is given back when its body is done with, once.
 * I4. A large body is worked on when it is its turn, and not at all once it was given back; so is each of many that are large together.
 */

import { isFairShare } from "../fair-share.ts"
import { sizeInWords } from "../text/size-in-words.ts"
import { type BodyTurns, largeBodyBytes, type WaitingBody } from "./body-turns.ts"

export const freeBodyBytes = 16 * 1024

/** In bytes. */
export type BodyLimits = { readonly perPrincipal: number; readonly inAll: number }

export const defaultBodyLimits: BodyLimits = { perPrincipal: 64_000_000, inAll: 256_000_000 }

export type BodyShare = {
  /** The body has so many bytes by now. Null: they may be kept; else why not, and nothing more was counted. */
  readonly grow: (total: number) => string | null
  /**
   * It has arrived. Null: it can be worked on at once; else when it is its turn: true, or false when it was released before. `isCrowded`: its sender
   * has so many requests open that even small ones take turns.
   */
  readonly turn: (isCrowded?: boolean) => Promise<boolean> | null
  /** The body is done with: it was read and used, or broke off. */
  readonly release: () => void
}

export type BodyBudget = {
  /** `program`: which of those that share the principal sends it; absent: nobody else does. */
  readonly share: (principal: string, program?: string) => BodyShare
  /** Bytes that are counted now, of all. */
  readonly used: () => number
}

/** `limits`: asked with each body that is more than what is free. `turns`: absent, large bodies wait for nothing. */
export function createBodyBudget(limits: () => BodyLimits = () => defaultBodyLimits, turns?: BodyTurns): BodyBudget {
  const principals = new Map<string, Counted>()
  let inAll = 0
  const add = (principal: string, program: string, bytes: number): void => {
    inAll += bytes
    const own = principals.get(principal) ?? { bytes: 0, programs: new Map() }
    own.bytes += bytes
    const now = (own.programs.get(program) ?? 0) + bytes
    if (now > 0) own.programs.set(program, now)
    else own.programs.delete(program)
    if (own.bytes > 0) principals.set(principal, own)
    else principals.delete(principal)
  }
  return {
    used: () => inAll,
    share: (principal, program = "") => {
      let counted = 0
      let waiting: WaitingBody | null = null
      return {
        grow: (total) => {
          const more = total - freeBodyBytes - counted
          if (more <= 0) return null
          const most = limits()
          const own = principals.get(principal)
          const ofProgram = own?.programs.get(program) ?? 0
          if (!isFairShare(ofProgram + more, (own?.bytes ?? 0) + more, most.perPrincipal)) return tooMuchOfOne(most)
          if (inAll + more > most.inAll) return tooMuchOfAll
          counted += more
          add(principal, program, more)
          return null
        },
        turn: (isCrowded = false) => {
          const together = counted === 0 ? 0 : (principals.get(principal)?.bytes ?? 0)
          if (turns === undefined || (!isCrowded && together + freeBodyBytes < largeBodyBytes)) return null
          waiting = turns.wait(principal, program)
          return waiting.turn
        },
        release: () => {
          waiting?.leave()
          if (counted === 0) return
          add(principal, program, -counted)
          counted = 0
        },
      }
    },
  }
}

/** A principal's bytes: all of them, and those of each program that shares it. */
type Counted = { bytes: number; readonly programs: Map<string, number> }

function tooMuchOfOne({ perPrincipal }: BodyLimits): string {
  return `The requests that this sender has open hold ${sizeInWords(perPrincipal)}, which is as much as they may. Nothing was done. Wait until one of them is answered, then try again.`
}

const tooMuchOfAll =
  "The requests that are open here hold as much as they may together. Nothing was done. Try again in a few seconds, or send less."
