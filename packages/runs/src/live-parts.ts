import type { LegPart } from "./loop/run-leg.ts"

/** Told to whoever watches a run: parts of the leg under way, that a model is asked again, and that a leg has ended. */
export type RunNews =
  | { readonly type: "part"; readonly leg: number; readonly part: LegPart }
  | { readonly type: "retry"; readonly leg: number; readonly attempt: number }
  | { readonly type: "leg-ended"; readonly leg: number }

export type LiveParts = {
  readonly begin: (run: string, leg: number) => void
  readonly tell: (run: string, news: RunNews) => void
  /** Forgets the leg: it is in the journal from now on. */
  readonly end: (run: string, leg: number) => void
  /** What the model has said in the step under way; empty: nothing, or there is none. */
  readonly textOfStep: (run: string) => string
  /** Hears the leg under way from its beginning, then everything. Returns how to stop. */
  readonly watch: (run: string, listener: (news: RunNews) => void) => () => void
}

/** Parts that are kept of one leg for whoever comes late; beyond, a late watcher hears the rest only. */
const mostKept = 20_000

export function createLiveParts(onTrouble: (trouble: unknown) => void): LiveParts {
  const legs = new Map<string, { readonly leg: number; readonly kept: RunNews[] }>()
  const watchers = new Map<string, Set<(news: RunNews) => void>>()
  // Whoever watches a run cannot stop it.
  const tellOne = (listener: (news: RunNews) => void, news: RunNews): void => {
    try {
      listener(news)
    } catch (trouble) {
      onTrouble(trouble)
    }
  }
  const tell = (run: string, news: RunNews): void => {
    const known = legs.get(run)
    if (known?.leg === news.leg && known.kept.length < mostKept) known.kept.push(news)
    for (const listener of watchers.get(run) ?? []) tellOne(listener, news)
  }
  return {
    begin: (run, leg) => void legs.set(run, { leg, kept: [] }),
    tell,
    end: (run, leg) => {
      tell(run, { type: "leg-ended", leg })
      if (legs.get(run)?.leg === leg) legs.delete(run)
    },
    textOfStep: (run) => {
      const kept = legs.get(run)?.kept ?? []
      const begun = kept.findLastIndex((news) => news.type === "part" && news.part.type === "start-step")
      return kept
        .slice(begun + 1)
        .flatMap((news) => (news.type === "part" && news.part.type === "text-delta" ? [news.part.text] : []))
        .join("")
    },
    watch: (run, listener) => {
      for (const news of legs.get(run)?.kept ?? []) tellOne(listener, news)
      const all = watchers.get(run) ?? new Set()
      watchers.set(run, all.add(listener))
      return () => {
        all.delete(listener)
        if (all.size === 0) watchers.delete(run)
      }
    },
  }
}
