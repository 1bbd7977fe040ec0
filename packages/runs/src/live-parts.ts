import type { LegPart } from "./loop/leg-ports.ts"

/** The news for watchers of a run: parts of the leg under way, that a model is asked again, and that a leg has ended. */
export type RunNews =
  | { readonly type: "part"; readonly leg: number; readonly part: LegPart }
  | { readonly type: "retry"; readonly leg: number; readonly attempt: number }
  | { readonly type: "leg-ended"; readonly leg: number }

export type LiveParts = {
  readonly begin: (run: string, leg: number) => void
  readonly tell: (run: string, news: RunNews) => void
  /** Forgets the leg: it is in the journal from now on. */
  readonly end: (run: string, leg: number) => void
  /** The model's text in the step under way; empty: none yet, or no step is under way. */
  readonly textOfStep: (run: string) => string
  /** Hears the leg under way from its beginning, then everything. Returns how to stop. */
  readonly watch: (run: string, listener: (news: RunNews) => void) => () => void
}

/** Characters that are kept of one leg for late watchers; beyond, a late watcher hears the rest only. */
const mostKept = 256 * 1024
/** The size of a part besides its words. */
const partSize = 100

export function createLiveParts(onTrouble: (trouble: unknown) => void): LiveParts {
  const legs = new Map<string, KnownLeg>()
  const watchers = new Map<string, Set<(news: RunNews) => void>>()
  // A failing watcher cannot stop the run.
  const tellOne = (listener: (news: RunNews) => void, news: RunNews): void => {
    try {
      listener(news)
    } catch (trouble) {
      onTrouble(trouble)
    }
  }
  const tell = (run: string, news: RunNews): void => {
    const known = legs.get(run)
    if (known?.leg === news.leg) hear(known, news)
    if (known?.leg === news.leg && known.size < mostKept) {
      known.size += sizeOf(news)
      if (known.size < mostKept) known.kept.push(news)
    }
    for (const listener of watchers.get(run) ?? []) tellOne(listener, news)
  }
  return {
    begin: (run, leg) => void legs.set(run, { leg, kept: [], size: 0, said: "" }),
    tell,
    end: (run, leg) => {
      tell(run, { type: "leg-ended", leg })
      if (legs.get(run)?.leg === leg) legs.delete(run)
    },
    textOfStep: (run) => legs.get(run)?.said ?? "",
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

type KnownLeg = {
  readonly leg: number
  readonly kept: RunNews[]
  size: number
  /** The text of the step under way, or the beginning of a long one. */
  said: string
}

function hear(leg: KnownLeg, news: RunNews): void {
  if (news.type !== "part") return
  if (news.part.type === "start-step") leg.said = ""
  else if (news.part.type === "text-delta" && leg.said.length < mostKept) leg.said += news.part.text
}

/** How much memory it takes, about. */
export function sizeOf(news: RunNews): number {
  if (news.type !== "part") return partSize
  const { part } = news
  switch (part.type) {
    case "text-delta":
    case "reasoning-delta":
      return partSize + part.text.length
    case "tool-input-delta":
      return partSize + part.delta.length
    case "tool-call":
    case "tool-result":
    case "tool-error":
      return partSize + (JSON.stringify(part)?.length ?? 0)
    default:
      return partSize
  }
}
