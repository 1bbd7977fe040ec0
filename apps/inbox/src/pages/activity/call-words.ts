import type { CallView } from "@byleave/api"
import type { Tone } from "@byleave/ui"
import { sizeInWords } from "../audit/save-stream.ts"

/** A few words and what they mean for whoever scans them. */
type Said = { readonly words: string; readonly tone: Tone }

const allowedBy = {
  rule: "Allowed by a rule",
  grant: "Allowed, remembered",
  mode: "Allowed by mode",
  default: "Allowed by default",
} as const satisfies Record<NonNullable<CallView["allowedBy"]>, string>

/** What policy said, and by what where nobody was asked. */
export function decisionWords({ effect, allowedBy: by }: Pick<CallView, "effect" | "allowedBy">): Said {
  switch (effect) {
    case "allow":
      return { words: by === null ? "Allowed" : allowedBy[by], tone: "plain" }
    case "ask":
      return { words: "Asked", tone: "wait" }
    case "deny":
      return { words: "Denied by policy", tone: "no" }
    case "hide":
      return { words: "Hidden", tone: "no" }
  }
}

export const outcomeSaid = {
  waiting: { words: "Waiting", tone: "wait" },
  running: { words: "Running", tone: "know" },
  succeeded: { words: "Done", tone: "yes" },
  failed: { words: "Failed", tone: "no" },
  unknown: { words: "Outcome unknown", tone: "wait" },
  refused: { words: "Denied", tone: "no" },
  denied: { words: "Denied", tone: "no" },
  expired: { words: "Expired", tone: "plain" },
  cancelled: { words: "Withdrawn", tone: "plain" },
  superseded: { words: "Tool changed", tone: "plain" },
} as const satisfies Record<CallView["outcome"], Said>

const nothingToShow: Said = { words: "Nothing to show", tone: "plain" }

const notAskedAgain: Said = { words: "Allowed, not asked for again yet", tone: "know" }

/** What became of a call. A file that is not there for a card yet is nobody's failure; what was allowed when nobody waited for it any more waits for its agent. */
export function outcomeWords({
  outcome,
  decidedBy,
  forCard,
}: Pick<CallView, "outcome" | "decidedBy" | "forCard">): Said {
  if (outcome === "waiting" && decidedBy !== null) return notAskedAgain
  return forCard === true && outcome === "failed" ? nothingToShow : outcomeSaid[outcome]
}

export const effectLabels = {
  allow: "Allowed without asking",
  ask: "Asked",
  deny: "Denied by policy",
  hide: "Hidden",
} as const satisfies Record<CallView["effect"], string>

/** A refusal's code as a person would put it. */
const refusalWords: ReadonlyMap<string, string> = new Map([
  ["hidden", "The tool is hidden"],
  ["denied-by-rule", "A rule says no"],
  ["denied-by-grant", "A remembered no"],
  ["other-program", "Nobody has accepted this program yet"],
  ["definition-rejected", "The tool's new definition was rejected"],
  ["unattended", "Nobody there to ask"],
  ["denied-by-reviewer", "A person said no"],
  ["expired", "Nobody answered in time"],
  ["cancelled", "The agent withdrew it"],
  ["superseded", "The tool changed meanwhile"],
  ["too-many-waiting", "Too many calls waiting"],
  ["denied-too-often", "Denied too often"],
  ["store-unavailable", "It could not be recorded"],
])

export const refusalCodes: readonly string[] = [...refusalWords.keys()]

export function refusalInWords(code: string): string {
  return refusalWords.get(code) ?? code
}

const shownLength = 160

/** A few of the arguments on one line, cut where a row ends anyway; the story has them whole. */
export function argsLine({ preview, argsBytes }: Pick<CallView, "preview" | "argsBytes">): string {
  if (preview === null) return argsBytes === null ? "" : `${sizeInWords(argsBytes)} of arguments`
  const line = preview.map(({ name, text }) => `${name}: ${text}`).join(", ")
  return line.length <= shownLength ? line : `${line.slice(0, shownLength)}…`
}

/** Such as `40 ms`, `1.2 s`, `3 min`. */
export function tookInWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${Math.round(ms / 60_000)} min`
}
