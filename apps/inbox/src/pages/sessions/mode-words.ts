import type { SessionView } from "@byleave/api"

export type SessionMode = SessionView["mode"]

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
    sentence: "Default: calls not covered by a rule or permission wait for approval.",
    weight: "usual",
  },
  autonomous: {
    label: "Autonomous",
    stamp: "Running without approval",
    sentence: "Calls that no rule covers run immediately, without approval. Rules that hide, deny or ask still apply.",
    weight: "strong",
  },
  unattended: {
    label: "Deny while away",
    stamp: "Denying while away",
    sentence: "Nobody is available to review: calls that need approval are denied immediately, and the agent is told.",
    weight: "usual",
  },
  observe: {
    label: "Observe",
    stamp: "Running, recorded only",
    sentence:
      "Calls that no rule covers run immediately and are recorded as “would have asked”. Use it to find out which rules you need: rules that deny or hide still apply, everything else runs.",
    weight: "strong",
  },
} as const satisfies Record<SessionMode, ModeWords>

export const modes: readonly SessionMode[] = ["ask", "autonomous", "unattended", "observe"]

/** The label of a mode as the API names it; of one that is not known here, the name itself. */
export function modeLabel(mode: string): string {
  return modes.find((known) => known === mode) === undefined ? mode : modeWords[mode as SessionMode].label
}

/** Why a mode cannot be chosen; undefined when it can. */
export function barredMode(mode: SessionMode, forbidden: readonly SessionMode[]): string | undefined {
  return forbidden.includes(mode) ? "Your policy forbids this mode (policy.modes.forbid)." : undefined
}
