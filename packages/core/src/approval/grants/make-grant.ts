/**
 * Remembering a verdict.
 *
 * I1. A verdict is remembered only for the server of the call it answers, and only in a breadth that covers that call.
 * I2. What must be asked every time is never remembered; neither is a yes that one reviewer alone may not give.
 * I3. "This server's reads" is a list: at most the tools the reviewer was shown, and of those only the ones that count as reads now.
 * I4. What is given for a session serves that session alone; what is given for an agent, that agent's sessions alone; of agent runs, those of one starter. A no for a session that
 *     is only its principal is one for the agent.
 */
import type { EpochMs } from "../../call/call.ts"
import type { JsonObject } from "../../call/json/json.ts"
import { type ConditionContext, compileConditions } from "../../policy/conditions/condition.ts"
import { createPathLookup } from "../../policy/conditions/path-lookup.ts"
import type { ToolFacts } from "../../policy/decide/decision.ts"
import { accessOfGrant, isAbout } from "../../policy/decide/index-grants.ts"
import { accessClassOf } from "../../policy/rules/access-class.ts"
import {
  type AnswerScope,
  type Breadth,
  type Remembered,
  scopeOfAnswer,
  serves,
} from "../../policy/rules/remembered.ts"
import type { Approval } from "../approval.ts"
import { freezeReads } from "../freeze-reads.ts"
import type { Grant } from "./grant.ts"
import { type LapsedGrant, newGrant } from "./new-grant.ts"

/** The part of a verdict that applies to future calls. */
export type RememberRequest = {
  readonly scope: AnswerScope
  readonly breadth: Breadth
  readonly until?: EpochMs
  readonly uses?: number
}

export type GrantInput = {
  readonly id: string
  /** The call that was answered, and how. */
  readonly approval: Approval
  readonly kind: "approve" | "deny"
  /** The arguments that the reviewer wrote in place of the call's, if any. */
  readonly args?: JsonObject | undefined
  readonly remember: RememberRequest
  readonly by: string
  readonly at: EpochMs
  readonly reason?: string
  /** The known facts about the tools that the server lists. */
  readonly facts: Iterable<readonly [string, ToolFacts]>
  /** Where conditions on paths resolve; without it, one that needs to know cannot be judged and covers nothing. */
  readonly context?: ConditionContext
}

export type GrantRefusal =
  | LapsedGrant
  | { readonly code: "never-remember" }
  | { readonly code: "breadth-mismatch"; readonly detail: string }

export function makeGrant(input: GrantInput): Grant | GrantRefusal {
  const { approval, remember } = input
  if (mustAskAgain(input)) return { code: "never-remember" }
  if (remember.breadth.server !== approval.tool.server) {
    return mismatch(`It is for ${remember.breadth.server}, but the call is for ${approval.tool.server}.`)
  }
  const facts = new Map(input.facts)
  const breadth = frozen(remember.breadth, facts)
  const grant = newGrant({
    ...input,
    ...remember,
    effect: input.kind === "deny" ? "deny" : "allow",
    breadth,
    ...scopeOfAnswer(remember.scope, approval),
    from: approval.id,
  })
  if ("code" in grant) return grant
  const args = input.args ?? approval.editedArgs ?? approval.args
  if (!reaches(grant, approval, args, facts.get(approval.tool.tool), input.context)) {
    return mismatch("It would not cover this call. Choose a scope that does.")
  }
  return grant
}

/** The fields of a waiting call that a grant is compared with: of an approval, or of its view for people. */
type WaitingCall = Pick<
  Approval,
  "status" | "kind" | "tool" | "session" | "starter" | "remember" | "args" | "editedArgs" | "connection"
>
type KnownAccess = Pick<ToolFacts, "access" | "accessCounts">

/** Whether a grant settles a call that already waits. */
export function grantCovers(
  grant: Remembered,
  waiting: WaitingCall,
  facts: KnownAccess | undefined,
  context?: ConditionContext,
): boolean {
  if (waiting.status !== "pending") return false
  if (grant.effect === "allow" && waiting.remember === "never") return false
  if (!serves(grant, waiting)) return false
  return reaches(grant, waiting, waiting.editedArgs ?? waiting.args, facts, context)
}

/** Several reviewers answer a call together; none of them can answer the calls to come alone. */
function mustAskAgain({ approval, kind }: GrantInput): boolean {
  return approval.remember === "never" || (kind === "approve" && approval.needs.approvals > 1)
}

function frozen(breadth: Breadth, facts: ReadonlyMap<string, ToolFacts>): Breadth {
  if (breadth.kind !== "reads") return breadth
  const reads = new Set(freezeReads(breadth.server, facts).tools)
  return { ...breadth, tools: breadth.tools.filter((tool) => reads.has(tool)) }
}

function reaches(
  grant: Remembered,
  approval: Pick<Approval, "kind" | "tool" | "connection">,
  args: JsonObject | null,
  facts: KnownAccess | undefined,
  context: ConditionContext = {},
): boolean {
  if (!isAbout(grant, { server: approval.tool.server, kind: approval.kind, name: approval.tool.tool })) return false
  if (!accessOfGrant(grant).includes(accessClassOf(facts))) return false
  const when = "when" in grant.breadth ? (grant.breadth.when ?? []) : []
  if (when.length === 0) return true
  const lookup = createPathLookup(context, approval.connection?.hasRoots)
  return args !== null && compileConditions(when, grant.effect, context)(args, lookup) === "holds"
}

function mismatch(detail: string): GrantRefusal {
  return { code: "breadth-mismatch", detail }
}
