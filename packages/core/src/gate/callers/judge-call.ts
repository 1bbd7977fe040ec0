import type { Demands } from "../../approval/approval-event.ts"
import { type CallUse, isCounted } from "../../approval/usage/usage.ts"
import { type Call, credentialOf, sessionKey } from "../../call/call.ts"
import { argsDigest } from "../../call/digest.ts"
import type { Hasher } from "../../call/hasher.ts"
import type { JsonObject } from "../../call/json/json.ts"
import { decide } from "../../policy/decide/decide.ts"
import type { Decision, Target, Usage } from "../../policy/decide/decision.ts"
import { idleUsage } from "../../policy/decide/exceeded-limit.ts"
import { mayWrite } from "../../policy/rules/access-class.ts"
import type { Mode } from "../../policy/rules/rule.ts"
import type { GateContext } from "../context.ts"
import type { PolicySnapshot } from "../policy-snapshots.ts"

export function targetOf(call: Pick<Call, "kind" | "tool">): Target {
  return { server: call.tool.server, kind: call.kind ?? "tool", name: call.tool.tool }
}

type Judged = Pick<Call, "kind" | "tool" | "principal" | "session" | "listed" | "connection"> & {
  /** Of the agent run whose call it is, by `starterName`. */
  readonly starter?: string | undefined
}

/** The policy's current decision on this call. The store checks the limits: `usage` is its answer for a call that exceeded them. */
export function judgeCall(
  context: GateContext,
  snapshot: PolicySnapshot,
  call: Judged,
  args: JsonObject | undefined,
  usage: Usage = idleUsage,
): Decision {
  const now = context.now()
  const key = sessionKey(call.session)
  const isTool = (call.kind ?? "tool") === "tool"
  return decide(snapshot.compiled, snapshot.grantIndex, {
    target: targetOf(call),
    args,
    tool: isTool ? snapshot.facts(call.tool, call.listed) : undefined,
    isQuarantined: snapshot.isQuarantined(call.tool.server),
    isOtherProgram: !isTool && snapshot.isOtherProgram(call.tool.server, call.listed),
    hasRoots: call.connection?.hasRoots === true,
    principal: call.principal,
    session: call.session,
    starter: call.starter,
    state: { mode: modeOf(snapshot, key, now), usage },
    now,
  })
}

/** Policy's demands on those who approve a call of which it decided so. */
export function demandsOf({ policy }: PolicySnapshot, { approvals, reviewers, remember }: Decision): Demands {
  return { needs: { approvals, groups: reviewers, selfApproval: policy.selfApproval }, remember }
}

/** The same for votes that were given already: they count as the reviewers are by now. */
export function demandsOnVotes(snapshot: PolicySnapshot, decision: Decision): Demands {
  return { ...demandsOf(snapshot, decision), groupsNow: snapshot.groupsNow }
}

/** The counters that a call adds to once it runs; undefined if none of the policy's limits can apply to it. */
export function useOf(
  snapshot: PolicySnapshot,
  call: Pick<Call, "kind" | "tool" | "session" | "listed">,
  by: "allowed" | "approved",
): CallUse | undefined {
  const { limits } = snapshot.policy
  const { autoAllowedPerSession, autoAllowedPerDay, autoAllowedPerMinute, bulk, coolDown } = limits
  const countsCalls = (autoAllowedPerSession ?? autoAllowedPerDay ?? autoAllowedPerMinute) !== undefined
  if (!countsCalls && bulk === undefined && coolDown === undefined) return undefined
  const { principal, id } = call.session
  const startsCoolDown = coolDown !== undefined && snapshot.compiled.startsCoolDown(targetOf(call))
  if ((call.kind ?? "tool") !== "tool") {
    return startsCoolDown ? { principal: credentialOf(principal), coolDownMs: coolDown.forMs } : undefined
  }
  const isUnasked = by === "allowed"
  const use: CallUse = {
    principal: credentialOf(principal),
    ...(isUnasked ? { within: limits } : {}),
    ...(isUnasked && countsCalls ? { isUnasked } : {}),
    ...(isUnasked && autoAllowedPerSession !== undefined ? { session: id } : {}),
    ...(bulk !== undefined && mayWrite(snapshot.facts(call.tool, call.listed)) ? { writeWithinMs: bulk.withinMs } : {}),
    ...(startsCoolDown ? { coolDownMs: coolDown.forMs } : {}),
  }
  return isUnasked || isCounted(use) ? use : undefined
}

export function modeOf(snapshot: PolicySnapshot, key: string, now: number): Mode {
  const record = snapshot.session(key)
  if (record === undefined || record.endedAt !== null) return "ask"
  return record.modeUntil === null || record.modeUntil > now ? record.mode : "ask"
}

/**
 * Identifies the caller's call. Targets other than tools are digested with their kind, so that no tool's name can stand in for them; so are
 * extra params that are part of the request. `_meta` is not: clients number each of their calls there, and a repeat would never be the same call.
 */
export function callDigestOf(
  context: { readonly options: { readonly hasher: Hasher } },
  call: { readonly kind?: Call["kind"]; readonly extraParams?: JsonObject },
  args: JsonObject,
): string {
  const { kind = "tool", extraParams } = call
  const asked = extraParams === undefined ? undefined : askedBeside(extraParams)
  const { hasher } = context.options
  if (asked !== undefined) return argsDigest({ kind, args, extra: asked }, hasher)
  return argsDigest(kind === "tool" && !readsAsTagged(args) ? args : { kind, args }, hasher)
}

/** Arguments in the form that other calls are digested in: digested as they are, they would be one of those calls. */
function readsAsTagged(args: JsonObject): boolean {
  if (!Object.hasOwn(args, "kind") || !Object.hasOwn(args, "args")) return false
  return Object.keys(args).every((name) => name === "kind" || name === "args" || name === "extra")
}

function askedBeside(extraParams: JsonObject): JsonObject | undefined {
  const { _meta, ...asked } = extraParams
  return Object.keys(asked).length === 0 ? undefined : asked
}

/** A no that policy itself gives: not one for want of a person to ask. */
export function isForbidden(decision: Decision): boolean {
  return (decision.effect === "hide" || decision.effect === "deny") && decision.because.kind !== "mode"
}
