import { type EpochMs, sessionKey, type ToolRef } from "../../call/call.ts"
import type { JsonObject } from "../../call/json/json.ts"

/** A held call that a person answered. */
export type AnsweredCall = {
  /** Of the approval. */
  readonly id: string
  readonly at: EpochMs
  readonly tool: ToolRef
  readonly principal: string
  readonly session: string
  /** Null: no longer kept. */
  readonly args: JsonObject | null
  /** `edited`: allowed with other arguments, which is a no to these. */
  readonly answer: "approve" | "deny" | "edited"
  readonly remember: "allowed" | "never"
  /** The person answered this call alone. A yes to many at once tells little of each. */
  readonly alone: boolean
}

export type KeptCall = AnsweredCall & { readonly args: JsonObject }

/** How much stands behind a suggestion. Agents repeat themselves, so sessions and days count, and calls hardly do. */
export type Weight = {
  readonly calls: number
  readonly sessions: number
  readonly days: number
  readonly agents: number
}

const day = 24 * 60 * 60_000

export function weigh(calls: readonly AnsweredCall[]): Weight {
  return {
    calls: calls.length,
    sessions: new Set(calls.map(({ principal, session }) => sessionKey({ principal, id: session }))).size,
    days: new Set(calls.map(({ at }) => Math.floor(at / day))).size,
    agents: new Set(calls.map(({ principal }) => principal)).size,
  }
}

export type LeastWeight = { readonly calls: number; readonly sessions: number; readonly days: number }

export function weighsEnough({ calls, sessions, days }: Weight, least: LeastWeight): boolean {
  return calls >= least.calls && sessions >= least.sessions && days >= least.days
}
