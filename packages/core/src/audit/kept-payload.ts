/**
 * Arguments and results as they are kept beside the chain: redacted JSON text that retention can remove.
 *
 * I1. Of one value at most 64 KiB are kept whole; of a longer one its beginning, with how long the whole was.
 * I2. One agent's values take up a bounded number of bytes an hour; beyond it each is kept as a few lines.
 */

import type { EpochMs } from "../call/call.ts"
import type { JsonObject, JsonValue } from "../call/json/json.ts"
import { isRawNumber } from "../call/json/raw-number.ts"
import { firstCharacters } from "../call/text/first-characters.ts"
import { utf8Length } from "../call/text/utf8-length.ts"
import type { Redactor } from "./redact.ts"

/** In bytes of JSON. */
export const largestWhole = 65_536
const largestBeyondShare = 1_024
const shareOfAnHour = 67_108_864

export type KeptPayload = {
  readonly payload: string
  /** Bytes of the whole, where the payload is only its beginning. */
  readonly wholeBytes?: number
}

export function keptPayload(value: JsonValue, redactor: Redactor, largest = largestWhole): KeptPayload {
  const redacted = redactor.redact(value)
  const whole = JSON.stringify(redacted)
  // A code unit takes up to three bytes, so most values need not be counted.
  if (whole.length * 3 <= largest) return { payload: whole }
  const wholeBytes = utf8Length(whole)
  if (wholeBytes <= largest) return { payload: whole }
  // A character takes up to six bytes of JSON.
  const budget = { left: Math.floor(largest / 8) }
  return { payload: JSON.stringify(beginningOf(redacted, budget) ?? null), wholeBytes }
}

type Budget = { left: number }

const longestText = 2_000
/** The cost of a value besides its characters: quotes, commas, brackets. */
const perValue = 4

/** As much of a value as the budget has room for; undefined: nothing. */
function beginningOf(value: JsonValue, budget: Budget): JsonValue | undefined {
  if (budget.left <= perValue) return undefined
  budget.left -= perValue
  if (typeof value === "string") {
    const text = firstCharacters(value, Math.min(longestText, budget.left))
    budget.left -= text.length
    return text.length === value.length ? value : `${text}…`
  }
  if (Array.isArray(value)) return beginningOfList(value, budget)
  if (typeof value !== "object" || value === null) return value
  if (!isRawNumber(value)) return beginningOfObject(value as JsonObject, budget)
  budget.left -= value.rawJSON.length
  return budget.left < 0 ? undefined : value
}

function beginningOfList(values: readonly JsonValue[], budget: Budget): JsonValue {
  const kept: JsonValue[] = []
  for (const value of values) {
    const beginning = beginningOf(value, budget)
    if (beginning === undefined) break
    kept.push(beginning)
  }
  return kept
}

function beginningOfObject(object: JsonObject, budget: Budget): JsonValue {
  const kept: Array<[string, JsonValue]> = []
  for (const [name, value] of Object.entries(object)) {
    budget.left -= name.length
    const beginning = beginningOf(value, budget)
    if (beginning === undefined) break
    kept.push([name, beginning])
  }
  return Object.fromEntries(kept)
}

/** How much of a value may be kept for an agent, counted by this process within each hour. */
export type PayloadShares = {
  readonly largestFor: (principal: string, at: EpochMs) => number
  readonly note: (principal: string, draft: { readonly payload?: string }) => void
}

/** Agents beyond so many within an hour share one share. */
const mostAgents = 10_000
const hourMs = 3_600_000

export function createPayloadShares(): PayloadShares {
  const used = new Map<string, number>()
  let hour = 0
  const keyOf = (principal: string) => (used.has(principal) || used.size < mostAgents ? principal : "")
  return {
    largestFor: (principal, at) => {
      const now = Math.floor(at / hourMs)
      if (now !== hour) used.clear()
      hour = now
      return (used.get(keyOf(principal)) ?? 0) < shareOfAnHour ? largestWhole : largestBeyondShare
    },
    note: (principal, { payload = "" }) => {
      const key = keyOf(principal)
      used.set(key, (used.get(key) ?? 0) + payload.length)
    },
  }
}
