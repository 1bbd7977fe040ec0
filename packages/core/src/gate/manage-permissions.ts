import type { Reviewer } from "../approval/approval-event.ts"
import type { Grant } from "../approval/grant.ts"
import { type LapsedGrant, newGrant } from "../approval/new-grant.ts"
import { acceptDefinition, type Observed, observeTools } from "../approval/pins.ts"
import type { AuditDraft } from "../audit/record.ts"
import { type Session, type ToolRef, toolKey, toolName } from "../call/call.ts"
import { CallError } from "../call/call-error.ts"
import { fingerprint } from "../call/fingerprint.ts"
import type { Hasher } from "../call/hasher.ts"
import { showText } from "../call/show-text.ts"
import type { ToolDefinition } from "../call/tool-definition.ts"
import type { Mode, Policy } from "../policy/rule.ts"
import { saving } from "./answer.ts"
import { changeApproval } from "./change-approval.ts"
import { changeSession } from "./change-session.ts"
import { isTime, mustBeSession } from "./check-call.ts"
import type { GateContext } from "./context.ts"
import type { ModeAnswer, ModeOptions, NewGrant } from "./gate.ts"
import { isForbidden, judgeCall } from "./judge-call.ts"
import { everyOpen } from "./manage-approvals.ts"
import { refusalOf } from "./refuse-call.ts"
import type { Standing } from "./standing.ts"
import { type Change, StoreError } from "./store.ts"

const maxAttempts = 20

export async function addGrant(
  context: GateContext,
  grant: NewGrant,
  reviewer: Reviewer,
): Promise<Grant | LapsedGrant> {
  if (grant.session !== undefined) mustBeSession(grant.session)
  const at = context.now()
  if (grant.until !== undefined && !isTime(grant.until)) {
    return { code: "grant-lapsed", detail: "The time it lasts until must be a whole number of milliseconds." }
  }
  const added = newGrant({ ...grant, id: context.options.newId(), from: null, by: reviewer.id, at })
  if ("code" in added) return added
  await write(context, { at, records: [], events: [], ...saving(context, added), durability: "full" })
  return added
}

export async function revokeGrant(context: GateContext, id: string, reviewer: Reviewer): Promise<boolean> {
  const { grants } = await context.store.decisionState()
  const grant = grants.find((candidate) => candidate.id === id)
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

/** Pins what is seen for the first time; what changed or appeared since then waits for a person, and what waits on it is superseded. */
export async function seeTools(context: GateContext, server: string, tools: readonly ToolDefinition[]): Promise<void> {
  const { hasher } = context.options
  const readable = tools.filter((tool) => hasFingerprint(tool, hasher))
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const standing = await context.standings.current()
    const depth = standing.policy.servers.find((known) => known.id === server)?.pin ?? "full"
    const at = context.now()
    const seen = observeTools({ server, tools: readable, pins: standing.pinsOf(server), depth, at, hasher })
    const committed = seen.puts.length === 0 || (await pin(context, standing, server, seen, at))
    context.standings.forget()
    if (!committed) continue
    context.standings.see(server, readable, at)
    return supersedeChanged(context, server)
  }
  throw new StoreError("busy", `The tools of ${server} kept changing while they were being recorded. Try again.`)
}

/** What cannot be fingerprinted cannot be accepted: such a tool stays unknown, and asks. */
function hasFingerprint(tool: ToolDefinition, hasher: Hasher): boolean {
  try {
    return fingerprint(tool, "full", hasher) !== ""
  } catch (error) {
    if (error instanceof CallError) return false
    throw error
  }
}

async function pin(
  context: GateContext,
  standing: Standing,
  server: string,
  seen: Observed,
  at: number,
): Promise<boolean> {
  const committed = await context.store.commit({
    at,
    pins: seen.puts.map((put) => ({ put })),
    records: recordsOf(context, seen, at),
    events: [{ type: "definition.changed", subject: server }],
    epoch: standing.epoch,
    durability: "full",
  })
  return committed.ok
}

function recordsOf(context: GateContext, seen: Observed, at: number): readonly AuditDraft[] {
  const kinds = new Map(seen.changes.map((change) => [change.tool, change.kind]))
  return seen.puts.flatMap((pin) => {
    const kind = kinds.get(pin.tool)
    return kind === undefined ? [] : [context.recorder.definitionSeen(pin, kind, at)]
  })
}

async function supersedeChanged(context: GateContext, server: string): Promise<void> {
  const standing = await context.standings.current()
  for (const open of await everyOpen(context, { server })) {
    const facts = open.kind === "tool" ? standing.facts(open.tool) : undefined
    if (facts === undefined || facts.fingerprint === open.fingerprint) continue
    const detail = `the definition of ${showText(toolName(open.tool))} changed while it waited.`
    await changeApproval(context, open.id, () => ({ type: "supersede", detail, at: context.now() }))
  }
}

/** True when the definition with this fingerprint, the one the reviewer saw, is now the accepted one. */
export async function accept(
  context: GateContext,
  tool: ToolRef,
  fingerprint: string,
  reviewer: Reviewer,
): Promise<boolean> {
  const { epoch, pins } = await context.store.decisionState()
  const pin = pins.find((candidate) => candidate.server === tool.server && candidate.tool === tool.tool)
  if (pin === undefined) return false
  const at = context.now()
  const accepted = acceptDefinition(pin, fingerprint, reviewer.id, at)
  if (!accepted.ok) return false
  const committed = await context.store.commit({
    at,
    pins: [{ put: accepted.pin }],
    records: [context.recorder.definitionAccepted(accepted.pin, pin.accepted?.fingerprint ?? null, at)],
    events: [{ type: "definition.changed", subject: tool.server }],
    epoch,
    durability: "full",
  })
  context.standings.forget()
  return committed.ok
}

const modes: readonly Mode[] = ["ask", "autonomous", "unattended", "observe"]

export async function setMode(
  context: GateContext,
  session: Session,
  mode: Mode,
  options: ModeOptions,
): Promise<ModeAnswer> {
  mustBeSession(session)
  const { policy } = await context.standings.current()
  if (!modes.includes(mode)) {
    return { ok: false, code: "invalid-mode", detail: `There is no such mode. Choose one of ${modes.join(", ")}.` }
  }
  if (policy.forbiddenModes.includes(mode)) {
    return { ok: false, code: "forbidden-by-policy", detail: `The policy forbids the mode ${mode}.` }
  }
  const { until } = options
  if (until !== undefined && !(isTime(until) && until > context.now())) {
    return { ok: false, code: "invalid-mode", detail: "A mode must end at a time to come. Choose a later one." }
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
  await changeSession(context, session, (before, at) => ({
    next: {
      ...before,
      lifted: [...before.lifted.filter((entry) => entry.tool !== key), { tool: key, at }],
      refused: before.refused.filter((refused) => refused !== key),
      endedAt: null,
    },
    records: [context.recorder.toolLifted(session, tool, reviewer.id, at)],
  }))
}

/** From now on these rules hold, for what already waits as well: a newer hide or deny settles it. */
export async function replacePolicy(context: GateContext, policy: Policy, by: string | null): Promise<void> {
  const { policy: before } = await context.standings.current()
  await context.standings.replacePolicy(policy, () => {
    const at = context.now()
    return context.store.commit({
      at,
      movesEpoch: true,
      records: [context.recorder.policyChanged(before.version, policy.version, by, at)],
      events: [{ type: "policy.changed", subject: policy.version }],
      durability: "full",
    })
  })
  context.usage.replaceLimits(policy.limits)
  const standing = await context.standings.current()
  for (const open of await everyOpen(context, {})) {
    const decision = judgeCall(context, standing, open, open.editedArgs ?? open.args ?? {})
    if (!isForbidden(decision)) continue
    const refusal = refusalOf(open, decision)
    await changeApproval(context, open.id, () => ({ type: "forbid", refusal, at: context.now() }))
  }
}

async function write(context: GateContext, change: Change): Promise<void> {
  await context.store.commit(change)
  context.standings.forget()
}
