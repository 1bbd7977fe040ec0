import type { EpochMs, ToolRef } from "../../call/call.ts"
import { type CompiledPolicy, compilePolicy, type PolicyPorts } from "../decide/compile-policy.ts"
import { decide } from "../decide/decide.ts"
import type { Decision, ToolFacts } from "../decide/decision.ts"
import { idleUsage } from "../decide/exceeded-limit.ts"
import { indexGrants } from "../decide/index-grants.ts"
import type { Remembered } from "../rules/remembered.ts"
import type { Policy, Rule } from "../rules/rule.ts"
import type { KeptCall } from "./answered-call.ts"

/** The policy in force, tried on past calls. */
export type TrialEngine = {
  readonly policy: CompiledPolicy
  readonly decide: (call: KeptCall) => Decision
  /** Decides as it would be decided with one more rule. */
  readonly with: (rule: Rule) => (call: KeptCall) => Decision
}

type TrialInput = {
  readonly policy: Policy
  readonly policyPorts?: PolicyPorts
  readonly grants: readonly Remembered[]
  readonly factsOf: (tool: ToolRef) => ToolFacts | undefined
  readonly now: EpochMs
}

export function createTrialEngine({ policy, policyPorts, grants, factsOf, now }: TrialInput): TrialEngine {
  const index = indexGrants(grants)
  const by = (compiled: CompiledPolicy) => (call: KeptCall) =>
    decide(compiled, index, questionOf(call, factsOf(call.tool), now))
  const compiled = compilePolicy(policy, policyPorts)
  return {
    policy: compiled,
    decide: by(compiled),
    with: (rule) => by(compilePolicy({ ...policy, rules: [...policy.rules, rule] }, policyPorts)),
  }
}

function questionOf({ tool, args, principal, session }: KeptCall, facts: ToolFacts | undefined, now: EpochMs) {
  return {
    target: { server: tool.server, kind: "tool", name: tool.tool },
    args,
    tool: facts,
    principal: { id: principal },
    session: { principal, id: session, named: true },
    state: { mode: "ask", usage: idleUsage },
    now,
  } as const
}
