import type { Effect } from "@byleave/core"

/** The order of effects; of several, the highest decides. */
export const strictness = { allow: 0, ask: 1, deny: 2, hide: 3 } as const satisfies Record<Effect, number>

export function stricterOf<E extends Effect>(one: E, other: E): E {
  return strictness[one] >= strictness[other] ? one : other
}
