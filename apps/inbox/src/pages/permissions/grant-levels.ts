/** The levels a grant can have, and what choosing one would mean. */
import type { GrantView } from "@byleave/api"
import { describeRemembered, literalOf } from "@byleave/core"

export type Level = GrantView["level"]

export type LevelChoice = {
  readonly level: Level
  readonly label: string
  /** What will be remembered, in words; or that nothing will. */
  readonly words: string
  /** It lets more happen unasked than the grant does now. */
  readonly widens: boolean
}

type Leveled = Pick<GrantView, "effect" | "breadth" | "level" | "session" | "until" | "usesLeft">

/** What the grant is called in a list. */
export function levelLabel(grant: Leveled): string {
  if (grant.effect === "deny") return grant.session === undefined ? "Always denied" : "Denied in a session"
  if (grant.usesLeft !== undefined) return grant.usesLeft === 1 ? "Allowed once" : `Allowed ${grant.usesLeft} times`
  if (grant.session !== undefined) return "Allowed in a session"
  return grant.until === undefined ? "Always allowed" : "Allowed for a while"
}

/** Only what the grant's kind can become, and never what it is already. */
export function levelChoices(grant: Leveled): readonly LevelChoice[] {
  return offered
    .filter((level) => level !== grant.level && isPossible(grant, level))
    .map((level) => choiceOf(grant, level))
}

const offered = ["Ask", "AllowSession", "AllowAlways", "DenyAlways"] as const satisfies readonly Level[]
type Offered = (typeof offered)[number]

const labels = {
  Ask: "Forget it: ask again",
  AllowSession: "Allow in its session",
  AllowAlways: "Always allow",
  DenyAlways: "Always deny",
} as const satisfies Record<Offered, string>

function isPossible(grant: Leveled, level: Offered): boolean {
  switch (level) {
    case "Ask":
    case "DenyAlways":
      return true
    case "AllowSession":
      return grant.session !== undefined && namesItsServer(grant)
    case "AllowAlways":
      return namesItsServer(grant)
  }
}

/** An allow names its server: what denies by a pattern over several has no such counterpart. */
function namesItsServer({ effect, breadth }: Leveled): boolean {
  return breadth.kind !== "pattern" || effect === "allow" || literalOf(breadth.server) !== null
}

function choiceOf(grant: Leveled, level: Offered): LevelChoice {
  return { level, label: labels[level], words: levelWords(grant, level), widens: isWider(grant, level) }
}

/** What holds once the grant has this level. An end or a number of uses is not carried over: a level is a whole answer. */
function levelWords(grant: Leveled, level: Offered): string {
  if (level === "Ask") {
    return grant.effect === "allow"
      ? "Nothing is remembered. Such calls ask again, unless a rule or another remembered answer covers them."
      : "The no is forgotten. Such calls ask again, or run where a rule or another remembered answer allows them."
  }
  const effect = level === "DenyAlways" ? "deny" : "allow"
  const session = level === "AllowSession" && grant.session !== undefined ? { session: grant.session } : {}
  return `${describeRemembered({ effect, breadth: grant.breadth, ...session }).words}.`
}

function isWider(grant: Leveled, level: Offered): boolean {
  if (level === "DenyAlways") return false
  return grant.effect === "deny" || level !== "Ask"
}
