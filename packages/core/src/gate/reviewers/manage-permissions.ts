import type { Reviewer } from "../../approval/approval-event.ts"
import type { Grant } from "../../approval/grants/grant.ts"
import { type LapsedGrant, newGrant } from "../../approval/grants/new-grant.ts"
import { type Session, type ToolRef, toolKey } from "../../call/call.ts"
import { isRunPrincipal, starterName } from "../../call/run-principal.ts"
import { allModes, policyMode } from "../../policy/rules/autonomy.ts"
import type { Mode, Policy } from "../../policy/rules/rule.ts"
import { isTime, mustBeSession } from "../callers/check-call.ts"
import { refusalScopes } from "../callers/denied-too-often.ts"
import { isForbidden, judgeCall } from "../callers/judge-call.ts"
import { refusalOf } from "../callers/refuse-call.ts"
import type { GateContext } from "../context.ts"
import type { ModeAnswer, ModeOptions, NewGrant } from "../gate.ts"
import type { Change } from "../store.ts"
import { saving } from "./answer.ts"
import { changeApproval } from "./change-approval.ts"
import { changeSession } from "./change-session.ts"
import { everyOpen } from "./manage-approvals.ts"

export async function addGrant(
  context: GateContext,
  grant: NewGrant,
  reviewer: Reviewer,
): Promise<Grant | LapsedGrant> {
  if (grant.session !== undefined) mustBeSession(grant.session)
  const at = context.now()
  if (grant.until !== undefined && !isTime(grant.until)) {
    return { code: "grant-lapsed", detail: "The expiry time must be a whole number of milliseconds." }
  }
  const added = newGrant({ ...grant, id: context.options.newId(), from: null, by: reviewer.id, at })
  if ("code" in added) return added
  await write(context, { at, records: [], events: [], ...saving(context, added), durability: "full" })
  return added
}

export async function revokeGrant(context: GateContext, id: string, reviewer: Reviewer): Promise<boolean> {
  const grant = (await context.store.grants()).find((candidate) => candidate.id === id)
  if (grant === undefined) return false
  const at = context.now()
  await write(context, {
    at,
    grants: [{ remove: id }],
    records: [context.recorder.grantRevoked(id, reviewer.id, at)],
    events: [{ type: "grant.changed", subject: id }],
    durability: "full",
  })
  return true
}

export async function setMode(
  context: GateContext,
  session: Session,
  mode: Mode,
  options: ModeOptions,
): Promise<ModeAnswer> {
  mustBeSession(session)
  const { policy } = await context.snapshots.current()
  if (!allModes.includes(mode)) {
    return { ok: false, code: "invalid-mode", detail: `Unknown mode. Choose one of ${allModes.join(", ")}.` }
  }
  if (policy.forbiddenModes.includes(policyMode(mode))) {
    return { ok: false, code: "forbidden-by-policy", detail: `The policy forbids the mode ${mode}.` }
  }
  const { until } = options
  if (until !== undefined && !(isTime(until) && until > context.now())) {
    return { ok: false, code: "invalid-mode", detail: "A mode must end in the future. Choose a later time." }
  }
  await changeSession(context, session, (before, at) => {
    const modeUntil = mode === "ask" ? null : (until ?? at + context.times.modeMs)
    return {
      next: { ...before, mode, modeUntil, modeBy: options.reviewer.id, endedAt: null },
      records: [context.recorder.modeSet(session, mode, modeUntil, options.reviewer.id, at)],
    }
  })
  return { ok: true }
}

export async function liftRefusals(
  context: GateContext,
  session: Session,
  tool: ToolRef,
  reviewer: Reviewer,
): Promise<void> {
  mustBeSession(session)
  const key = toolKey(tool)
  const run = isRunPrincipal(session.principal) ? await context.store.run(session.id) : undefined
  const scopes = refusalScopes(session, run === undefined ? undefined : starterName(run.startedBy))
  // The widest last: until then nothing runs.
  for (const each of scopes.some(({ id }) => id === session.id) ? scopes : [session, ...scopes]) {
    await changeSession(context, each, (before, at) => ({
      next: {
        ...before,
        lifted: [...before.lifted.filter((entry) => entry.tool !== key), { tool: key, at }],
        refused: before.refused.filter((refused) => refused !== key),
        endedAt: null,
      },
      records: [context.recorder.toolLifted(each, tool, reviewer.id, at)],
    }))
  }
}

/** From now on these rules hold, for what already waits as well: a newer hide or deny settles it. */
export async function replacePolicy(context: GateContext, policy: Policy, by: string | null): Promise<void> {
  const { policy: before } = await context.snapshots.current()
  await context.snapshots.replacePolicy(policy, () => {
    const at = context.now()
    return context.store.commit({
      at,
      movesEpoch: true,
      records: [context.recorder.policyChanged(before.version, policy.version, by, at)],
      events: [{ type: "policy.changed", subject: policy.version }],
      durability: "full",
    })
  })
  await forbidOpen(context, {})
}

/** Settles waiting calls and permits that policy refuses now. */
export async function forbidOpen(context: GateContext, among: { readonly server?: string }): Promise<void> {
  const snapshot = await context.snapshots.current()
  for (const { id } of await everyOpen(context, among)) {
    const open = await context.store.approval(id)
    if (open === undefined) continue
    const decision = judgeCall(context, snapshot, open, open.editedArgs ?? open.args ?? {})
    if (!isForbidden(decision)) continue
    const refusal = refusalOf(open, decision)
    await changeApproval(context, open, () => ({ type: "forbid", refusal, at: context.now() }))
  }
}

async function write(context: GateContext, change: Change): Promise<void> {
  await context.store.commit(change)
  context.snapshots.forget()
}
