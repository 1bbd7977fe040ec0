import type { Reviewer } from "../approval/approval-event.ts"
import type { Grant } from "../approval/grant.ts"
import { type LapsedGrant, newGrant } from "../approval/new-grant.ts"
import { acceptDefinition, type Observed, observeTools } from "../approval/pins.ts"
import type { SessionRecord } from "../approval/session-record.ts"
import type { AuditDraft } from "../audit/record.ts"
import { type Session, sessionKey, type ToolRef, toolName } from "../call/call.ts"
import { showText } from "../call/show-text.ts"
import type { ToolDefinition } from "../call/tool-definition.ts"
import type { Mode, Policy } from "../policy/rule.ts"
import { saving } from "./answer.ts"
import { changeApproval } from "./change-approval.ts"
import type { GateContext } from "./context.ts"
import type { ModeAnswer, ModeOptions, NewGrant } from "./gate.ts"
import { isForbidden, judgeCall } from "./judge-call.ts"
import { everyOpen } from "./manage-approvals.ts"
import { refusalOf } from "./refuse-call.ts"
import { type Change, StoreError } from "./store.ts"

const maxAttempts = 20

export async function addGrant(
  context: GateContext,
  grant: NewGrant,
  reviewer: Reviewer,
): Promise<Grant | LapsedGrant> {
  const at = context.now()
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
  context.standings.see(server, tools)
  const depth = context.rules().policy.servers.find((known) => known.id === server)?.pin ?? "full"
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const standing = await context.standings.current()
    const at = context.now()
    const seen = observeTools({
      server,
      tools,
      pins: standing.pinsOf(server),
      depth,
      at,
      hasher: context.options.hasher,
    })
    if (seen.puts.length === 0) return supersedeChanged(context, server)
    const committed = await context.store.commit({
      at,
      pins: seen.puts.map((put) => ({ put })),
      records: recordsOf(context, seen, at),
      events: [{ type: "definition.changed", subject: server }],
      epoch: standing.epoch,
      durability: "full",
    })
    context.standings.forget()
    if (committed.ok) return supersedeChanged(context, server)
  }
  throw new StoreError("busy", `The tools of ${server} kept changing while they were being recorded. Try again.`)
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

export async function setMode(
  context: GateContext,
  session: Session,
  mode: Mode,
  options: ModeOptions,
): Promise<ModeAnswer> {
  if (context.rules().policy.forbiddenModes.includes(mode)) return { ok: false, code: "forbidden-by-policy" }
  const at = context.now()
  const until = mode === "ask" ? null : (options.until ?? at + context.times.modeMs)
  const record = await sessionRecord(context, session)
  await write(context, {
    at,
    sessions: [{ ...record, mode, modeUntil: until, modeBy: options.reviewer.id, endedAt: null }],
    records: [context.recorder.modeSet(session, mode, until, options.reviewer.id, at)],
    events: [{ type: "mode.changed", subject: sessionKey(session) }],
    durability: "full",
  })
  return { ok: true }
}

export async function liftRefusals(
  context: GateContext,
  session: Session,
  tool: ToolRef,
  reviewer: Reviewer,
): Promise<void> {
  const at = context.now()
  const record = await sessionRecord(context, session)
  const name = toolName(tool)
  await write(context, {
    at,
    sessions: [{ ...record, lifted: [...record.lifted.filter((entry) => entry.tool !== name), { tool: name, at }] }],
    records: [context.recorder.toolLifted(session, tool, reviewer.id, at)],
    events: [{ type: "mode.changed", subject: sessionKey(session) }],
    durability: "full",
  })
}

async function sessionRecord(context: GateContext, session: Session): Promise<SessionRecord> {
  const stored = await context.store.session(session)
  return stored ?? { ...session, mode: "ask", modeUntil: null, modeBy: null, lifted: [], endedAt: null, autoAllowed: 0 }
}

/** From now on these rules hold, for what already waits as well: a newer hide or deny settles it. */
export async function replacePolicy(context: GateContext, policy: Policy, by: string | null): Promise<void> {
  const at = context.now()
  await write(context, {
    at,
    records: [context.recorder.policyChanged(context.rules().policy.version, policy.version, by, at)],
    events: [{ type: "policy.changed", subject: policy.version }],
    durability: "full",
  })
  context.replaceRules(policy)
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
