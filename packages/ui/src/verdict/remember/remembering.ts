/**
 * The rule that an answer will make, shown before the answer is sent.
 *
 * I1. The rule shown is the rule the service makes of the same answer: its scope, its breadth, its end and its uses.
 */
import type { ApprovalView } from "@byleave/api"
import { type Breadth, describeRemembered, type Grant, newGrant } from "@byleave/core"
import type { Lasting } from "./lasting.ts"

/** The permission that an answer is about to save. */
export type RememberChoices = {
  readonly effect: "allow" | "deny"
  readonly scope: "session" | "agent" | "always"
  readonly breadth: Breadth
  readonly lasting: Lasting
}

export type RuleShown =
  | { readonly ok: true; readonly grant: Grant; readonly words: string; readonly text: string }
  | { readonly ok: false; readonly problem: string }

/** The grant the service would make of it now, in the very words it will use. */
export function ruleShown(approval: ApprovalView, remembering: RememberChoices, now: number): RuleShown {
  const { effect, scope, breadth, lasting } = remembering
  const grant = newGrant({
    id: "",
    effect,
    breadth,
    session: scope === "session" ? approval.session : undefined,
    agent: scope === "agent" ? approval.session.principal : undefined,
    until: lasting.until,
    uses: lasting.uses,
    from: approval.id,
    by: "",
    at: now,
  })
  if ("code" in grant) return { ok: false, problem: grant.detail }
  return { ok: true, grant, ...describeRemembered(grant, { now }) }
}

/** Such as "Allow for session": what pressing a button that remembers means. */
export function scopeWords(named: boolean): {
  readonly button: string
  readonly words: string
  readonly scope: string
} {
  return named
    ? {
        button: "Allow for session",
        words: "this tool, until the session ends",
        scope: "This session only, until it ends",
      }
    : {
        button: "Allow for 30 minutes",
        words: "this agent, even if it restarts",
        scope: "This agent only, even if it restarts; up to 30 minutes",
      }
}
