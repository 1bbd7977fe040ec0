import type { Approval } from "../../approval/approval.ts"
import type { Reviewer } from "../../approval/approval-event.ts"
import { offeredTools } from "../../approval/pins/offered-tools.ts"
import { isPinOf, type Pin, type PinRef } from "../../approval/pins/pin.ts"
import {
  acceptDefinition,
  type Observed,
  observeInstructions,
  observeProgram,
  observeTools,
  rejectDefinition,
  withQuarantine,
} from "../../approval/pins/pins.ts"
import type { AuditDraft } from "../../audit/record.ts"
import { type EpochMs, toolName } from "../../call/call.ts"
import { CallError } from "../../call/call-error.ts"
import { fingerprint } from "../../call/definition/fingerprint.ts"
import type { PinDepth, ToolDefinition } from "../../call/definition/tool-definition.ts"
import type { Hasher } from "../../call/hasher.ts"
import { shownName } from "../../call/text/quoted.ts"
import type { NewTools } from "../../policy/rules/rule.ts"
import type { GateContext } from "../context.ts"
import type { MayTell } from "../gate.ts"
import type { PolicySnapshot } from "../policy-snapshots.ts"
import type { DefinitionAnswer } from "../recorder.ts"
import { StoreError } from "../store.ts"
import { changeApproval } from "./change-approval.ts"
import { everyOpen } from "./manage-approvals.ts"
import { forbidOpen } from "./manage-permissions.ts"

const maxAttempts = 20

/** A server, and whether whoever tells of it may still do so: asked after the state is read that the telling is recorded by. */
type Told = { readonly server: string; readonly mayTell: MayTell }

/**
 * Pins what is seen for the first time; what changed or appeared since then waits for a person, and what waits on it is superseded, unless
 * another connection still lists what it was asked of.
 */
export async function seeTools(
  context: GateContext,
  { server, mayTell }: Told,
  tools: readonly ToolDefinition[],
  elsewhere: readonly ToolDefinition[],
): Promise<void> {
  const { hasher } = context.options
  // A tool without a name is none: that place among the pins is the server's own.
  const readable = tools.filter((tool) => tool.name !== "" && hasFingerprint(tool, hasher))
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const snapshot = await context.snapshots.current()
    if (!(await mayTell())) return
    const depth = pinning(snapshot, server).depth
    const at = context.now()
    const seen = observeTools({ server, tools: readable, pins: snapshot.pinsOf(server), depth, at, hasher })
    const isSame = seen.puts.length + seen.removed.length === 0
    const committed = isSame || (await pin(context, snapshot, server, seen, at))
    context.snapshots.forget()
    if (!committed) continue
    context.snapshots.see(server, readable, at)
    return supersedeChanged(context, server, elsewhere)
  }
  throw new StoreError("busy", `The tools of ${server} kept changing while they were being recorded. Try again.`)
}

/** Whether this program of a server is the accepted one, or waits to be accepted. */
export async function knowsProgram(context: GateContext, server: string, program: ToolDefinition): Promise<boolean> {
  return programSight(context, await context.snapshots.current(), server, program) === null
}

/** Pins a server's program at its first sight; another one waits for a person. Of several that come at once, one is the first. */
export async function seeProgram(
  context: GateContext,
  { server, mayTell }: Told,
  program: ToolDefinition,
): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const snapshot = await context.snapshots.current()
    const seen = programSight(context, snapshot, server, program)
    if (seen === null || !(await mayTell())) return
    const changes = seen.kind === null ? [] : [{ tool: seen.pin.tool, kind: seen.kind }]
    await pin(context, snapshot, server, { puts: [seen.pin], removed: [], changes }, context.now())
    context.snapshots.forget()
  }
  throw new StoreError("busy", `The program of ${server} kept changing while it was being recorded. Try again.`)
}

function programSight(
  context: GateContext,
  snapshot: PolicySnapshot,
  server: string,
  program: ToolDefinition,
): ReturnType<typeof observeProgram> {
  const { depth } = pinning(snapshot, server)
  const { hasher } = context.options
  return observeProgram(program, { server, pins: snapshot.pinsOf(server), depth, at: context.now(), hasher })
}

/** Pins a server's instructions as its tools are pinned. Gives those that agents may be told. */
export async function seeInstructions(
  context: GateContext,
  { server, mayTell }: Told,
  instructions: string | undefined,
): Promise<string | undefined> {
  const { hasher } = context.options
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const snapshot = await context.snapshots.current()
    if (!(await mayTell())) return undefined
    const { depth } = pinning(snapshot, server)
    const at = context.now()
    const seen = observeInstructions(instructions, { server, pins: snapshot.pinsOf(server), depth, at, hasher })
    if (seen === null) return offeredInstructions(snapshot, server, instructions)
    const changes = [{ tool: seen.pin.tool, kind: seen.kind }]
    await pin(context, snapshot, server, { puts: [seen.pin], removed: [], changes }, at)
    context.snapshots.forget()
  }
  throw new StoreError("busy", `What ${server} says kept changing while it was being recorded. Try again.`)
}

function offeredInstructions(snapshot: PolicySnapshot, server: string, said: string | undefined): string | undefined {
  const { depth } = pinning(snapshot, server)
  const own = snapshot.pinsOf(server).find((known) => known.of === "server")
  if (own?.quarantined !== undefined) return undefined
  if (depth !== "full") return said
  const accepted = own?.accepted?.definition.instructions
  return typeof accepted === "string" ? accepted : undefined
}

/** A server's tools as agents may be told of them. */
export async function offered(
  context: GateContext,
  server: string,
  tools: readonly ToolDefinition[],
): Promise<readonly ToolDefinition[]> {
  const snapshot = await context.snapshots.current()
  const pins = snapshot.pinsOf(server)
  return offeredTools(tools, { pins, ...pinning(snapshot, server), hasher: context.options.hasher })
}

function pinning(snapshot: PolicySnapshot, server: string): { readonly depth: PinDepth; readonly newTools: NewTools } {
  const known = snapshot.policy.servers.find(({ id }) => id === server)
  return { depth: known?.pin ?? "full", newTools: known?.newTools ?? "hold" }
}

/** A definition that cannot be fingerprinted cannot be accepted: such a tool stays unknown, and asks. */
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
  snapshot: PolicySnapshot,
  server: string,
  seen: Observed,
  at: number,
): Promise<boolean> {
  const committed = await context.store.commit({
    at,
    pins: [...seen.puts.map((put) => ({ put })), ...seen.removed.map((tool) => ({ remove: { server, tool } }))],
    records: recordsOf(context, seen, at),
    events: [{ type: "definition.changed", subject: server }],
    epoch: snapshot.epoch,
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

async function supersedeChanged(
  context: GateContext,
  server: string,
  elsewhere: readonly ToolDefinition[],
): Promise<void> {
  const snapshot = await context.snapshots.current()
  const { depth } = pinning(snapshot, server)
  const { hasher } = context.options
  const isListedElsewhere = ({ tool, fingerprint: print }: Pick<Approval, "tool" | "fingerprint">): boolean =>
    elsewhere.some((each) => each.name === tool.tool && printElsewhere(each, depth, hasher) === print)
  for (const open of await everyOpen(context, { server })) {
    const facts = open.kind === "tool" ? snapshot.facts(open.tool) : undefined
    if (facts === undefined || facts.fingerprint === open.fingerprint || isListedElsewhere(open)) continue
    const detail = `the definition of ${shownName(toolName(open.tool))} changed while it waited.`
    await changeApproval(context, open.id, () => ({ type: "supersede", detail, at: context.now() }))
  }
}

/** Other connections' definitions are the same ones at every telling, and there may be megabytes of them. */
const printsElsewhere = new WeakMap<ToolDefinition, { readonly depth: PinDepth; readonly print: string | null }>()

/** Null: it cannot be fingerprinted, so no call was asked of it. */
function printElsewhere(tool: ToolDefinition, depth: PinDepth, hasher: Hasher): string | null {
  const known = printsElsewhere.get(tool)
  if (known?.depth === depth) return known.print
  const print = hasFingerprint(tool, hasher) ? fingerprint(tool, depth, hasher) : null
  printsElsewhere.set(tool, { depth, print })
  return print
}

/** True when the definition with this fingerprint, the one the reviewer saw, is now the accepted one. */
export async function accept(
  context: GateContext,
  of: PinRef,
  fingerprint: string,
  reviewer: Reviewer,
): Promise<boolean> {
  return answer(context, of, "accepted", reviewer, (pin, at) =>
    verdictOn(acceptDefinition, pin, fingerprint, reviewer, at),
  )
}

/** True when the definition with this fingerprint, the one the reviewer saw, is rejected; what waits for it is settled. */
export async function reject(
  context: GateContext,
  of: PinRef,
  fingerprint: string,
  reviewer: Reviewer,
): Promise<boolean> {
  return answer(context, of, "rejected", reviewer, (pin, at) =>
    verdictOn(rejectDefinition, pin, fingerprint, reviewer, at),
  )
}

/** Hides a tool, or a server with all it has, until it is lifted; what waits for it is settled. False: there is no such tool. */
export async function quarantine(context: GateContext, of: PinRef, reviewer: Reviewer): Promise<boolean> {
  return answer(context, of, "quarantined", reviewer, (pin, at) => {
    return pin.quarantined === undefined ? withQuarantine(pin, { at, by: reviewer.id }) : pin
  })
}

/** False: it is in no quarantine. */
export async function lift(context: GateContext, of: PinRef, reviewer: Reviewer): Promise<boolean> {
  return answer(context, of, "lifted", reviewer, (pin) =>
    pin.quarantined === undefined ? null : withQuarantine(pin, null),
  )
}

function verdictOn(
  judge: typeof acceptDefinition,
  pin: Pin,
  fingerprint: string,
  reviewer: Reviewer,
  at: EpochMs,
): Pin | null {
  const verdict = judge(pin, fingerprint, reviewer.id, at)
  return verdict.ok ? verdict.pin : null
}

/** Records a reviewer's answer with the change it makes. `change` gives null where it does not apply. */
async function answer(
  context: GateContext,
  of: PinRef,
  kind: DefinitionAnswer,
  reviewer: Reviewer,
  change: (pin: Pin, at: EpochMs) => Pin | null,
): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { epoch, pins } = await context.store.decisionState()
    const was = pins.find((pin) => isPinOf(pin, of)) ?? unknownServer(of)
    const at = context.now()
    const next = was === null ? null : change(was, at)
    if (was === null || next === null) return false
    if (next === was) return true
    const committed = await context.store.commit({
      at,
      pins: [{ put: next }],
      records: [context.recorder.definitionAnswered(kind, was, reviewer.id, at)],
      events: [{ type: "definition.changed", subject: of.server }],
      epoch,
      durability: "full",
    })
    context.snapshots.forget()
    if (!committed.ok) continue
    if (kind === "rejected" || kind === "quarantined") await forbidOpen(context, { server: of.server })
    return true
  }
  throw new StoreError("busy", `What is known of ${of.server} kept changing. Try again.`)
}

/** A server can be put in quarantine before it has said anything of itself. */
function unknownServer({ server, tool }: PinRef): Pin | null {
  return tool === undefined ? { server, tool: "", of: "server", accepted: null, proposed: null } : null
}
