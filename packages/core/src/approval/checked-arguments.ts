import type { JsonObject } from "../call/json/json.ts"
import { utf8Length } from "../call/text/utf8-length.ts"
import type { Risk } from "../policy/risks/risk.ts"

/** The findings about a call's arguments, computed once when the call is held or edited, and kept with the approval. */
export type CheckedArguments = {
  /** The arguments as JSON, in bytes. */
  readonly bytes: number
  readonly risks: readonly Risk[]
}

export function bytesOf(args: JsonObject | null): number {
  return args === null ? 0 : utf8Length(JSON.stringify(args))
}

type Sent = {
  readonly args: JsonObject | null
  readonly extraParams?: JsonObject
  readonly droppedParams?: readonly string[]
}

/** How many bytes of JSON a caller sent with a call, and a reviewer wrote instead. */
export function heldBytes({ args, extraParams, droppedParams }: Sent, edited: JsonObject | null): number {
  const beside = bytesOf(extraParams ?? null) + utf8Length((droppedParams ?? []).join())
  return bytesOf(args) + bytesOf(edited) + beside
}
