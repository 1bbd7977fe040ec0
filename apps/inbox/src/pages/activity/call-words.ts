import type { CallView } from "@byleave/api"
import { sizeInWords } from "@byleave/core"
import { capitalized, type Tone, tellingArgument } from "@byleave/ui"

/** A few words and what they mean for whoever scans them. */
type Said = { readonly words: string; readonly tone: Tone }

const allowedBy = {
  rule: "Allowed by a rule",
  grant: "Allowed by permission",
  mode: "Allowed by mode",
  default: "Allowed by default",
} as const satisfies Record<NonNullable<CallView["allowedBy"]>, string>

/** The policy's decision; where nobody was asked, with what decided it. */
export function decisionWords({ effect, allowedBy: by }: Pick<CallView, "effect" | "allowedBy">): Said {
  switch (effect) {
    case "allow":
      return { words: by === null ? "Allowed" : allowedBy[by], tone: "plain" }
    case "ask":
      return { words: "Needed approval", tone: "wait" }
    case "deny":
      return { words: "Denied by policy", tone: "no" }
    case "hide":
      return { words: "Hidden", tone: "no" }
  }
}

export const outcomeSaid = {
  waiting: { words: "Waiting", tone: "wait" },
  running: { words: "Running", tone: "know" },
  succeeded: { words: "Succeeded", tone: "yes" },
  failed: { words: "Failed", tone: "no" },
  unknown: { words: "Outcome unknown", tone: "wait" },
  refused: { words: "Denied", tone: "no" },
  denied: { words: "Denied", tone: "no" },
  expired: { words: "Expired", tone: "plain" },
  cancelled: { words: "Withdrawn", tone: "plain" },
  superseded: { words: "Tool changed", tone: "plain" },
} as const satisfies Record<CallView["outcome"], Said>

const nothingToShow: Said = { words: "No outcome", tone: "plain" }

const notRunYet: Said = { words: "Approved, not run", tone: "wait" }

/** The outcome of a call. A file that is not there for a card yet is nobody's failure; a call that was allowed when nobody waited for it any more waits for its agent. */
export function outcomeWords({
  outcome,
  decidedBy,
  forCard,
}: Pick<CallView, "outcome" | "decidedBy" | "forCard">): Said {
  if (outcome === "waiting" && decidedBy !== null) return notRunYet
  return forCard === true && outcome === "failed" ? nothingToShow : outcomeSaid[outcome]
}

/** Why a call was denied: the reviewer's reason, or the words of the rule or permission; null where there are none. */
export function reasonShown({
  outcome,
  reason,
  rule,
  why,
}: Pick<CallView, "outcome" | "reason" | "rule" | "why">): string | null {
  // Without a rule it was a limit: `why` tells what the policy said before that.
  if (outcome === "refused") return rule === null ? null : capitalized(why)
  return outcome === "denied" && reason !== "" ? reason : null
}

const whyNames = {
  allow: "Why it was allowed",
  ask: "Why it was held",
  deny: "Why it was denied",
  hide: "Why it was hidden",
} as const satisfies Record<CallView["effect"], string>

/** The name of policy's reason: it tells why a call was held, not why a person then denied it. */
export function whyName({ effect }: Pick<CallView, "effect">): string {
  return whyNames[effect]
}

/** Why a person denied a call, also where they gave no reason; null where nobody did. */
export function denialReason({
  outcome,
  decidedBy,
  reason,
}: Pick<CallView, "outcome" | "decidedBy" | "reason">): string | null {
  if (outcome !== "denied" || decidedBy === null) return null
  return reason === "" || reason === null ? "No reason was given" : reason
}

export function toolText({ kind, tool }: Pick<CallView, "kind" | "tool">): string {
  return kind === "tool" ? `${tool.server}(${tool.tool})` : `${tool.server}(${kind}:${tool.tool})`
}

const longestTitleValue = 100

/** A call's tool and the value that tells it from other calls of it: `files(write_file) · docs/keys.md`. */
export function callTitle({ kind, tool, preview }: Pick<CallView, "kind" | "tool" | "preview">): string {
  const called = toolText({ kind, tool })
  const [line = ""] = (tellingArgument({ preview }) ?? "").split("\n", 1)
  if (line === "") return called
  return `${called} · ${line.length > longestTitleValue ? `${line.slice(0, longestTitleValue)}…` : line}`
}

export const effectLabels = {
  allow: "Allowed without approval",
  ask: "Needed approval",
  deny: "Denied by policy",
  hide: "Hidden",
} as const satisfies Record<CallView["effect"], string>

/** A refusal's code as a person would put it. */
const refusalWords: ReadonlyMap<string, string> = new Map([
  ["hidden", "Tool is hidden"],
  ["denied-by-rule", "Denied by a rule"],
  ["denied-by-grant", "Denied by a permission"],
  ["other-program", "Program not accepted yet"],
  ["definition-rejected", "New tool definition rejected"],
  ["unattended", "Denied while away"],
  ["denied-by-reviewer", "Denied by a reviewer"],
  ["expired", "No decision in time"],
  ["cancelled", "Withdrawn by the agent"],
  ["superseded", "Tool changed while waiting"],
  ["too-many-waiting", "Too many calls waiting"],
  ["denied-too-often", "Denied too often"],
  ["store-unavailable", "Could not be recorded"],
])

export const refusalCodes: readonly string[] = [...refusalWords.keys()]

export function refusalInWords(code: string): string {
  return refusalWords.get(code) ?? code
}

const shownLength = 160

/** A few of the arguments on one line, cut where a row ends anyway; the story has them whole. */
export function argsLine({ preview, argsBytes }: Pick<CallView, "preview" | "argsBytes">): string {
  if (preview === null) return argsBytes === null ? "" : `${sizeInWords(argsBytes)} of arguments`
  const line = preview.map(({ name, text }) => `${name}: ${text === "" ? "empty" : text}`).join(", ")
  return line.length <= shownLength ? line : `${line.slice(0, shownLength)}…`
}
