import type { SessionView } from "@byleave/api"

export type Mode = SessionView["mode"]

type ModeWords = {
  readonly label: string
  /** What is stamped on a session in this mode; null: nothing is out of the ordinary. */
  readonly stamp: string | null
  readonly sentence: string
  /** `strong`: calls run that nobody was asked about. */
  readonly weight: "usual" | "strong"
}

export const modeWords = {
  ask: {
    label: "Ask",
    stamp: null,
    sentence: "The usual way: whatever no rule and no remembered answer settles waits for a person.",
    weight: "usual",
  },
  autonomous: {
    label: "Autonomous",
    stamp: "Runs by itself",
    sentence:
      "Calls that no rule speaks of run at once, with nobody asked. What a rule hides, denies or wants asked is still hidden, denied or asked.",
    weight: "strong",
  },
  unattended: {
    label: "Unattended",
    stamp: "Refuses by itself",
    sentence: "Nobody is there to answer: whatever would be asked is refused at once, and the agent is told so.",
    weight: "usual",
  },
  observe: {
    label: "Observe",
    stamp: "Runs, watched only",
    sentence:
      "Calls that no rule speaks of run at once and are recorded as “would have asked”. For learning which rules you need: what a rule refuses or hides stays so, everything else runs.",
    weight: "strong",
  },
} as const satisfies Record<Mode, ModeWords>

export const modes: readonly Mode[] = ["ask", "autonomous", "unattended", "observe"]

/** Why a mode cannot be chosen; undefined when it can. */
export function barredMode(mode: Mode, forbidden: readonly Mode[]): string | undefined {
  return forbidden.includes(mode) ? "Your policy forbids this mode, under policy.modes.forbid." : undefined
}
