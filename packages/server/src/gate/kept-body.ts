import { type BodyBudget, type BodyShare, freeBodyBytes, type JsonValue, readJson } from "@byleave/core"
import type { OneProgram } from "../guard/shared-room.ts"

/** Counts what a request brought, from its beginning until nothing of it is kept. */
export type KeptBody = {
  readonly bytes: number
  /** Nothing of it is kept any more. */
  readonly release: () => void
}

/** Nothing is counted. */
export const keepNothing: KeptBody = { bytes: 0, release: () => {} }

/** Bodies of a size that is free are not counted. A text: the sender has as much open as it may. */
export function keepBody(bodies: BodyBudget, sender: OneProgram, bytes: number): KeptBody | string {
  if (bytes <= freeBodyBytes) return keepNothing
  const { grow, release } = keptShare(bodies, sender)
  return grow(bytes) ?? { bytes, release }
}

/** Apart from what is still arriving, so that outcomes and words to end a wait arrive also while much is kept. No credential has a colon in its name. */
export function keptShare(bodies: BodyBudget, { token, program }: OneProgram): BodyShare {
  return bodies.share(`${token}:kept`, program)
}

/**
 * The same value with texts of its own. Texts that were read are cuts of the text they were read from, and an engine keeps the whole text as long as
 * one of its cuts is there: a name that is kept would keep the megabytes it came with.
 */
export function withOwnTexts<Value extends JsonValue>(value: Value): Value {
  const limits = { bytes: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY, depth: 1_000 }
  const read = readJson(JSON.stringify(value), limits)
  return read.ok ? (read.value as Value) : value
}
