/**
 * Counts of calls by some name, such as that of their agent, by what was decided.
 *
 * Memory stays bounded whatever names agents choose: those that come after the first `mostKept` are not counted. Records are folded newest
 * first, so the names that are left out are the ones seen longest ago.
 */
import type { Effect } from "@byleave/core"

export type EffectCounts = { allow: number; ask: number; deny: number; hide: number }

export type CallTally<Name> = {
  readonly count: (key: string, nameOf: () => Name, effect: Effect) => void
  /** The names with the most calls come first. */
  readonly most: (limit: number) => ReadonlyArray<Name & Readonly<EffectCounts>>
}

/** The most agents, sessions or servers counted: people cannot tell more apart in a plot. */
const mostCounted = 10_000

export function createTally<Name extends object>(mostKept = mostCounted): CallTally<Name> {
  const kept = new Map<string, { readonly name: Name; readonly counts: EffectCounts }>()
  return {
    count: (key, nameOf, effect) => {
      const known = kept.get(key)
      if (known !== undefined) known.counts[effect] += 1
      else if (kept.size < mostKept) kept.set(key, { name: nameOf(), counts: { ...none, [effect]: 1 } })
    },
    most: (limit) =>
      [...kept.values()]
        .sort((a, b) => totalOf(b.counts) - totalOf(a.counts))
        .slice(0, limit)
        .map(({ name, counts }) => ({ ...name, ...counts })),
  }
}

const none: EffectCounts = { allow: 0, ask: 0, deny: 0, hide: 0 }

function totalOf({ allow, ask, deny, hide }: EffectCounts): number {
  return allow + ask + deny + hide
}
