import type { SessionView } from "@byleave/api"
import { type AutonomyKind, allModes, autonomyKinds, autonomyOf, policyMode } from "@byleave/core"
import { kindNames } from "@byleave/ui"

export type SessionMode = SessionView["mode"]

type ModeWords = {
  readonly label: string
  /** The stamp on a session in this mode; null in the ordinary mode. */
  readonly stamp: string | null
  readonly sentence: string
  /** `strong`: calls run that nobody was asked about. */
  readonly weight: "usual" | "strong"
}

const words = {
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
} as const satisfies Record<string, ModeWords>

/** The modes that people choose among; how far `autonomous` goes is a choice of its own. */
export const modes = ["ask", "autonomous", "unattended", "observe"] as const
export type ChosenMode = (typeof modes)[number]

/** The choice that a mode belongs to. */
export function chosenMode(mode: SessionMode): ChosenMode {
  return policyMode(mode) as ChosenMode
}

export const kindWords = {
  tools: {
    label: "Tools",
    sentence:
      "Tools that no rule or permission allows. Calls that appear to name a path or site that none allows for the tool still ask.",
  },
  paths: { label: "Paths", sentence: "Allowed tools, also outside the folders that rules and permissions allow." },
  urls: { label: "URLs", sentence: "Allowed tools, also for other sites than rules and permissions allow." },
} as const satisfies Record<AutonomyKind, { readonly label: string; readonly sentence: string }>

export function modeWords(mode: SessionMode): ModeWords {
  const kinds = autonomyOf(mode)
  if (kinds.length === 0 || kinds.length === autonomyKinds.length) return words[chosenMode(mode)]
  const named = kinds.map((kind) => kindNames[kind]).join(" and ")
  return {
    label: `Autonomous for ${named}`,
    stamp: `No approval for ${named}`,
    sentence: kinds.map((kind) => kindWords[kind].sentence).join(" "),
    weight: "strong",
  }
}

/** The label of a mode as the API names it; of one that is not known here, the name itself. */
export function modeLabel(mode: string): string {
  return allModes.find((known) => known === mode) === undefined ? mode : modeWords(mode as SessionMode).label
}

/** Why a mode cannot be chosen; undefined when it can. */
export function barredMode(mode: SessionMode, forbidden: readonly SessionMode[]): string | undefined {
  return forbidden.includes(chosenMode(mode)) ? "Your policy forbids this mode (policy.modes.forbid)." : undefined
}
