/**
 * Whether a call can be allowed, run now or run again.
 *
 * I1. It cannot before the last masked value was revealed.
 */
import { countOf } from "./arguments/cut-text.ts"

/** Why a call cannot be allowed yet, or `done` otherwise; null when every value was there to be seen. */
export function blockedBy(hidden: ReadonlySet<string>, done = "allow the call"): string | null {
  if (hidden.size === 0) return null
  return hidden.size === 1
    ? `1 value is hidden because it looks like a secret. Reveal it before you ${done}.`
    : `${countOf(hidden.size, "value")} are hidden because they look like secrets. Reveal them before you ${done}.`
}
