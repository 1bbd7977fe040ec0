/** The levels a grant can have, and what choosing one would mean. */
import type { GrantView } from "@byleave/api"
import { callersBehind, describeRemembered, grantAtLevel } from "@byleave/core"

export type GrantLevel = GrantView["level"]

export type LevelChoice = {
  readonly level: GrantLevel
  readonly label: string
  /** A sentence about what will be remembered, or that nothing will. */
  readonly words: string
  /** It lets more happen unasked than the grant does now. */
  readonly widens: boolean
}

/** The name of a grant in lists. */
export function levelLabel(grant: Pick<GrantView, "effect" | "session" | "agent" | "until" | "usesLeft">): string {
  if (grant.effect === "deny" && grant.agent !== undefined) return `Denied for ${callersNoun(grant.agent)}`
  if (grant.effect === "deny") return grant.session === undefined ? "Always denied" : "Denied for a session"
  if (grant.usesLeft !== undefined) return grant.usesLeft === 1 ? "Allowed once" : `Allowed ${grant.usesLeft} times`
  if (grant.session !== undefined) return "Allowed for a session"
  if (grant.agent !== undefined) return `Allowed for ${callersNoun(grant.agent)}`
  return grant.until === undefined ? "Always allowed" : "Allowed temporarily"
}

const nouns = {
  agent: "one agent",
  runs: "agent runs",
  wrapped: "several programs",
  anonymous: "agents without a token",
} as const satisfies Record<ReturnType<typeof callersBehind>["kind"], string>

function callersNoun(principal: string): string {
  return nouns[callersBehind(principal).kind]
}

const offered = ["Ask", "AllowSession", "AllowAlways", "DenyAlways"] as const satisfies readonly GrantLevel[]
type Offered = (typeof offered)[number]

/** Only what the grant's kind can become, and never what it is already. */
export function levelChoices(grant: GrantView, now: number): readonly LevelChoice[] {
  return offered.filter((level) => level !== grant.level).flatMap((level) => choiceOf(grant, level, now))
}

/** By the same function the service changes it with, so what is said here is what will hold. */
function choiceOf(grant: GrantView, level: Offered, now: number): readonly LevelChoice[] {
  const next = grantAtLevel(grant, level, { by: "", at: now })
  if (next !== null && "code" in next) return []
  const words = next === null ? forgottenWords[grant.effect] : `${describeRemembered(next, { now }).words}.`
  return [{ level, label: labels[level], words, widens: isWider(grant, level) }]
}

const labels = {
  Ask: "Revoke and ask again",
  AllowSession: "Allow for its session",
  AllowAlways: "Always allow",
  DenyAlways: "Always deny",
} as const satisfies Record<Offered, string>

/** A sentence about what follows when a permission is revoked. */
export const forgottenWords = {
  allow: "The permission is removed. The next such call needs approval, unless a rule or another permission covers it.",
  deny: "The denial is removed. The next such call needs approval, or runs where a rule or another permission allows it.",
} as const satisfies Record<GrantView["effect"], string>

function isWider(grant: GrantView, level: Offered): boolean {
  if (level === "DenyAlways") return false
  return grant.effect === "deny" || level !== "Ask"
}
