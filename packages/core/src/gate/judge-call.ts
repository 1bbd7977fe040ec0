import type { UsageKey } from "../approval/usage.ts"
import { type Call, sessionKey } from "../call/call.ts"
import { argsDigest } from "../call/digest.ts"
import type { Hasher } from "../call/hasher.ts"
import type { JsonObject } from "../call/json.ts"
import { mayWrite } from "../policy/access-class.ts"
import { decide } from "../policy/decide.ts"
import type { Decision, Target, Usage } from "../policy/decision.ts"
import type { Mode } from "../policy/rule.ts"
import type { GateContext } from "./context.ts"
import type { Standing } from "./standing.ts"

export function targetOf(call: Pick<Call, "kind" | "tool">): Target {
  return { server: call.tool.server, kind: call.kind ?? "tool", name: call.tool.tool }
}

type Judged = Pick<Call, "kind" | "tool" | "principal" | "session">

/** Policy's word on this call, as things stand. */
export function judgeCall(
  context: GateContext,
  standing: Standing,
  call: Judged,
  args: JsonObject | undefined,
  allowedSoFar = 0,
): Decision {
  const now = context.now()
  const key = sessionKey(call.session)
  return decide(standing.compiled, standing.grantIndex, {
    target: targetOf(call),
    args,
    tool: (call.kind ?? "tool") === "tool" ? standing.facts(call.tool) : undefined,
    principal: call.principal,
    session: call.session,
    state: { mode: modeOf(standing, key, now), usage: usageOf(context, usageKey(call, key), now, allowedSoFar) },
    now,
  })
}

function usageKey(call: Pick<Call, "session">, session = sessionKey(call.session)): UsageKey {
  return { principal: call.session.principal, session }
}

function usageOf(context: GateContext, by: UsageKey, now: number, allowedSoFar: number): Usage {
  const used = context.usage.usageOf(by, now, allowedSoFar)
  const { calls, writes } = context.inFlight.of(by.principal)
  if (calls === 0) return used
  return {
    ...used,
    autoAllowedInMinute: used.autoAllowedInMinute + calls,
    writesInWindow: used.writesInWindow + writes,
  }
}

/** Counts a call that is about to run, for the limits. */
export function noteUse(
  context: GateContext,
  standing: Standing,
  call: Pick<Call, "kind" | "tool" | "session">,
  autoAllowed: boolean,
): void {
  if ((call.kind ?? "tool") !== "tool") return
  const write = mayWrite(standing.facts(call.tool))
  const coolDown = standing.policy.limits.coolDown !== undefined && standing.compiled.startsCoolDown(targetOf(call))
  context.usage.note(usageKey(call), { autoAllowed, write, coolDown }, context.now())
}

export function modeOf(standing: Standing, key: string, now: number): Mode {
  const record = standing.session(key)
  if (record === undefined || record.endedAt !== null) return "ask"
  return record.modeUntil === null || record.modeUntil > now ? record.mode : "ask"
}

/** Identifies the caller's call. What is not a tool is digested with its kind, so that no tool's name can stand in for it. */
export function callDigestOf(
  context: { readonly options: { readonly hasher: Hasher } },
  call: Pick<Call, "kind">,
  args: JsonObject,
): string {
  const kind = call.kind ?? "tool"
  return argsDigest(kind === "tool" ? args : { kind, args }, context.options.hasher)
}

/** A no that policy itself gives: not one for want of a person to ask. */
export function isForbidden(decision: Decision): boolean {
  return (decision.effect === "hide" || decision.effect === "deny") && decision.because.kind !== "mode"
}
