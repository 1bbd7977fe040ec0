import type { CurrentContentView } from "@byleave/api"

export type ComparedWith = {
  readonly content: CurrentContentView | null
  /** Why what is shown is not of now: it was read before, and could not be read again. */
  readonly notAgain: string | null
}

/**
 * The content that a call's change is compared with. `now`: the newest answer; `kept`: the last answer with content in it, which a failure to read it
 * again does not take away. Of a settled call nothing is read, and nothing is said of that.
 */
export function comparedWith(
  now: CurrentContentView | null,
  kept: CurrentContentView | null,
  isPending: boolean,
): ComparedWith {
  if (isTold(now)) return { content: now, notAgain: null }
  if (!isPending) return { content: kept, notAgain: null }
  return kept === null ? { content: now, notAgain: null } : { content: kept, notAgain: now?.why ?? null }
}

type Told = Exclude<CurrentContentView, { kind: "unavailable" }>

export function isTold(content: CurrentContentView | null): content is Told {
  return content !== null && content.kind !== "unavailable"
}
