/**
 * Whether Allow can be pressed.
 *
 * I1. It cannot before the last masked value was revealed.
 */
import { countOf } from "./arguments/cut-text.ts"

/** Why Allow cannot be pressed yet; null when every value was there to be seen. */
export function blockedBy(hidden: ReadonlySet<string>): string | null {
  if (hidden.size === 0) return null
  return hidden.size === 1
    ? "1 value is hidden because it looks like a secret. Reveal it before you allow the call."
    : `${countOf(hidden.size, "value")} are hidden because they look like secrets. Reveal them before you allow the call.`
}
