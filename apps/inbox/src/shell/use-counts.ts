import { useWaitingCalls } from "../data/live/live.tsx"
import { useRead } from "../data/use-read.ts"
import type { PagePath } from "./page-links.ts"

export type Count = { readonly count: number; readonly words: string }

/** The number of things to look at behind each entry of the navigation. */
export function useCounts(): ReadonlyMap<PagePath, Count> {
  const { count } = useWaitingCalls()
  const sessions = useRead("listSessions")
  const pins = useRead("listPins", { query: { waiting: "true" } })
  const modes = sessions.state === "ready" ? sessions.value.items.filter(({ mode }) => mode !== "ask").length : 0
  const definitions = pins.state === "ready" ? pins.value.items.length : 0
  const counts: ReadonlyArray<readonly [PagePath, Count]> = [
    ["/", { count, words: count === 1 ? "1 call waiting" : `${count} calls waiting` }],
    ["/sessions", { count: modes, words: `${modes} not in Ask mode` }],
    [
      "/servers",
      { count: definitions, words: `${definitions} ${definitions === 1 ? "definition" : "definitions"} to accept` },
    ],
  ]
  return new Map(counts.filter(([, each]) => each.count > 0))
}
