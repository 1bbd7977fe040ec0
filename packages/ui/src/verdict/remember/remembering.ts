/**
 * The rule that an answer will make, shown before the answer is sent.
 *
 * I1. The rule shown is the rule the service makes of the same answer: its scope, its breadth, its end and its uses.
 */
import type { ApprovalView } from "@byleave/api"
import {
  type AnswerScope,
  type Breadth,
  callersBehind,
  callersWords,
  describeRemembered,
  type Grant,
  newGrant,
  scopeOfAnswer,
  shownName,
} from "@byleave/core"
import { capitalized } from "../../words/capitalized.ts"
import type { Lasting } from "./lasting.ts"

/** The permission that an answer is about to save. */
export type RememberChoices = {
  readonly effect: "allow" | "deny"
  readonly scope: AnswerScope
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
    ...scopeOfAnswer(scope, approval),
    until: lasting.until,
    uses: lasting.uses,
    from: approval.id,
    by: "",
    at: now,
  })
  if ("code" in grant) return { ok: false, problem: grant.detail }
  return { ok: true, grant, ...describeRemembered(grant, { now }) }
}

/** Whom "for this agent" means: this agent only, where its credential is its own; else everybody behind the name that it has. */
export function agentScopeWords({ session, starter }: Pick<ApprovalView, "session" | "starter">): string {
  const callers = callersBehind(session.principal, starter)
  return callers.kind === "agent"
    ? `This agent only, in every session: ${shownName(callers.name)}`
    : capitalized(callersWords(callers))
}
