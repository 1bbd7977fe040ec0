import type { LegPart } from "./loop/run-leg.ts"

/** Told to whoever watches a run: parts of the leg under way, that a model is asked again, and that a leg has ended. */
export type RunNews =
  | { readonly type: "part"; readonly leg: number; readonly part: LegPart }
  | { readonly type: "retry"; readonly leg: number; readonly attempt: number }
  | { readonly type: "leg-ended"; readonly leg: number }

export type LiveParts = {
  readonly begin: (run: string) => void
  readonly tell: (run: string, news: RunNews) => void
  /** Forgets the leg: it is in the journal from now on. */
  readonly end: (run: string, leg: number) => void
  /** Hears the leg under way from its beginning, then everything. Returns how to stop. */
  readonly watch: (run: string, listener: (news: RunNews) => void) => () => void
}

/** Parts that are kept of one leg for whoever comes late; beyond, a late watcher hears the rest only. */
const mostKept = 20_000

export function createLiveParts(): LiveParts {
  const legs = new Map<string, RunNews[]>()
  const watchers = new Map<string, Set<(news: RunNews) => void>>()
  const tell = (run: string, news: RunNews): void => {
    const kept = legs.get(run)
    if (kept !== undefined && kept.length < mostKept) kept.push(news)
    for (const listener of watchers.get(run) ?? []) listener(news)
  }
  return {
    begin: (run) => void legs.set(run, []),
    tell,
    end: (run, leg) => {
      tell(run, { type: "leg-ended", leg })
      legs.delete(run)
    },
    watch: (run, listener) => {
      for (const news of legs.get(run) ?? []) listener(news)
      const all = watchers.get(run) ?? new Set()
      watchers.set(run, all.add(listener))
      return () => {
        all.delete(listener)
        if (all.size === 0) watchers.delete(run)
      }
    },
  }
}
