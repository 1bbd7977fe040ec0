/**
 * The records of the gate, one builder per kind of event; `audit-bodies.ts` has the table of shapes. Everything people or
 * agents wrote passes the redactor, and digests are keyed, since those of short arguments could be guessed.
 */
import type { RunOutcome } from "../approval/approval-event.ts"
import { bytesOf } from "../approval/checked-arguments.ts"
import type { Grant } from "../approval/grants/grant.ts"
import type { RefusalCode } from "../approval/refusal.ts"
import type { Call, EpochMs, Session, ToolRef } from "../call/call.ts"
import type { Hasher } from "../call/hasher.ts"
import type { JsonObject, JsonValue } from "../call/json/json.ts"
import type { Because, Decision } from "../policy/decide/decision.ts"
import type { Effect, Mode } from "../policy/rules/rule.ts"
import type { BodyOf } from "./audit-bodies.ts"
import { keptPayload } from "./kept-payload.ts"
import type { AuditDraft, AuditType, ChainHead } from "./record.ts"
import type { Redactor } from "./redact.ts"
import { redactedBreadth } from "./redacted-breadth.ts"

export type DraftTools = {
  readonly hasher: Hasher
  readonly digestKey: string
  readonly redactor: Redactor
  /** Bytes of arguments or results that are kept whole, where that is fewer than usual. */
  readonly largestPayload?: number
}

export function keyedDigest(hasher: Hasher, key: string, digest: string): string {
  return hasher.hmacSha256(key, digest)
}

export type JudgedCall = {
  /** The call's own id, or its approval's when it is held. */
  readonly id: string
  readonly call: Call
  readonly decision: Decision
  /** The deciding rule's text, where a rule decided. */
  readonly rule: string | null
  readonly reason: string
  readonly policy: string
  readonly mode: Mode
  readonly callDigest: string
  /** Digest of the extra params, where the call has some. */
  readonly extraDigest?: string | undefined
  readonly fingerprint: string
  /** The no that the caller gets, also where policy would have asked. */
  readonly refusal?: RefusalCode | undefined
  readonly rerunOf?: string | undefined
  readonly undoOf?: string | undefined
}

const judgedTypes = {
  hide: "call.hidden",
  deny: "call.denied",
  ask: "call.asked",
  allow: "call.allowed",
} as const satisfies Record<Effect, AuditType>

export function judgedDraft(judged: JudgedCall, at: EpochMs, tools: DraftTools): AuditDraft {
  const { call, decision } = judged
  const text = tools.redactor.redactText
  const body: BodyOf<"call.asked"> = {
    principal: text(call.principal.id),
    session: text(call.session.id),
    server: text(call.tool.server),
    tool: text(call.tool.tool),
    kind: call.kind ?? "tool",
    because: decision.because.kind,
    rule: judged.rule === null ? null : text(judged.rule),
    grant: grantOf(decision.because),
    reason: text(judged.reason),
    policy: judged.policy,
    mode: judged.mode,
    digest: keyedDigest(tools.hasher, tools.digestKey, judged.callDigest),
    ...(judged.extraDigest === undefined
      ? {}
      : { extra: keyedDigest(tools.hasher, tools.digestKey, judged.extraDigest) }),
    ...(call.droppedParams === undefined ? {} : { dropped: call.droppedParams.map(text) }),
    fingerprint: judged.fingerprint,
    wouldAsk: decision.wouldAsk,
    refusal: judged.refusal ?? null,
    rerunOf: judged.rerunOf ?? null,
    ...(judged.undoOf === undefined ? {} : { undoOf: judged.undoOf }),
  }
  const isRefused = judged.refusal !== undefined && decision.effect !== "hide"
  const type = isRefused ? "call.denied" : judgedTypes[decision.effect]
  const draft = { type, subject: judged.id, step: 0, at, body }
  return keepsArguments(judged) ? withPayload(draft, call.args, tools) : draft
}

const largestRefused = 16_384

/** Of a call that was refused, long arguments are not kept: nobody waits for them, and an agent could fill the disk with them. Their digest is. */
function keepsArguments({ call, refusal }: JudgedCall): boolean {
  return refusal === undefined || bytesOf(call.args) <= largestRefused
}

/** A draft with the part of arguments or a result that is kept beside the chain. */
export function withPayload<Draft extends Pick<AuditDraft, "body">>(
  draft: Draft,
  value: JsonValue,
  { redactor, largestPayload }: DraftTools,
): Draft & { readonly payload: string } {
  const { payload, wholeBytes } = keptPayload(value, redactor, largestPayload)
  return wholeBytes === undefined ? { ...draft, payload } : { ...draft, body: { ...draft.body, wholeBytes }, payload }
}

function grantOf(because: Because): string | null {
  if (because.kind === "grant") return because.grant.id
  return because.kind === "mode" ? grantOf(because.instead) : null
}

/** The outcome of a call that policy allowed. A held call's outcome is recorded by `approvalDraft`. */
export function ranDraft(call: string, outcome: RunOutcome, at: EpochMs, tools: DraftTools): AuditDraft {
  return outcomeDraft({ subject: call, step: 1 }, outcome, at, tools)
}

export function outcomeDraft(
  { subject, step }: { readonly subject: string; readonly step: number },
  outcome: RunOutcome,
  at: EpochMs,
  tools: DraftTools,
): AuditDraft {
  switch (outcome.kind) {
    case "succeeded":
      return withPayload({ type: "run.succeeded", subject, step, at, body: certain }, outcome.result, tools)
    case "failed":
      return withPayload({ type: "run.failed", subject, step, at, body: certain }, outcome.error, tools)
    case "unknown":
      return { type: "run.unknown", subject, step, at, body: { detail: tools.redactor.redactText(outcome.detail) } }
  }
}

const certain: BodyOf<"run.succeeded"> = { detail: null }

export function grantCreatedDraft(grant: Grant, at: EpochMs, { redactor }: Pick<DraftTools, "redactor">): AuditDraft {
  const body: BodyOf<"grant.created"> = {
    id: grant.id,
    effect: grant.effect,
    breadth: redactedBreadth(grant.breadth, redactor),
    session:
      grant.session === undefined
        ? null
        : { principal: redactor.redactText(grant.session.principal), id: redactor.redactText(grant.session.id) },
    ...(grant.agent === undefined ? {} : { agent: redactor.redactText(grant.agent) }),
    ...(grant.starter === undefined ? {} : { starter: redactor.redactText(grant.starter) }),
    until: grant.until ?? null,
    uses: grant.usesLeft ?? null,
    by: redactor.redactText(grant.createdBy),
    from: grant.from,
    reason: grant.reason === undefined ? null : redactor.redactText(grant.reason),
  }
  return { type: "grant.created", subject: null, step: 0, at, body }
}

type Redacting = Pick<DraftTools, "redactor">

/** `by` null: it ran out, or its session ended. */
export function grantRevokedDraft(id: string, by: string | null, at: EpochMs, tools: Redacting): AuditDraft {
  return about("grant.revoked", at, { id, by: nameOf(by, tools) })
}

export function modeDraft(
  session: Session,
  set: { readonly mode: Mode; readonly until: EpochMs | null; readonly by: string },
  at: EpochMs,
  tools: Redacting,
): AuditDraft {
  const { mode, until } = set
  return about("mode.set", at, { ...sessionBody(session, tools), mode, until, by: tools.redactor.redactText(set.by) })
}

export function launchedDraft(
  session: Session,
  switches: readonly string[],
  at: EpochMs,
  tools: Redacting,
): AuditDraft {
  return about("session.launched", at, {
    ...sessionBody(session, tools),
    switches: switches.map(tools.redactor.redactText),
  })
}

export function sessionEndedDraft(session: Session, at: EpochMs, tools: Redacting): AuditDraft {
  return about("session.ended", at, sessionBody(session, tools))
}

export function liftedDraft(session: Session, tool: ToolRef, by: string, at: EpochMs, tools: Redacting): AuditDraft {
  const { redactText } = tools.redactor
  const names = { server: redactText(tool.server), tool: redactText(tool.tool), by: redactText(by) }
  return about("tool.lifted", at, { ...sessionBody(session, tools), ...names })
}

export function definitionDraft(
  type: Extract<AuditType, `definition.${string}`>,
  definition: ToolRef & { readonly fingerprint: string; readonly was: string | null; readonly by: string | null },
  at: EpochMs,
  tools: Redacting,
): AuditDraft {
  const { redactText } = tools.redactor
  const { fingerprint, was } = definition
  const names = { server: redactText(definition.server), tool: redactText(definition.tool) }
  return about(type, at, { ...names, fingerprint, was, by: nameOf(definition.by, tools) })
}

export function policyDraft(
  change: { readonly was: string; readonly policy: string; readonly by: string | null },
  at: EpochMs,
  tools: Redacting,
): AuditDraft {
  return about("policy.changed", at, { was: change.was, policy: change.policy, by: nameOf(change.by, tools) })
}

export function accessDraft(access: BodyOf<"access.changed">, at: EpochMs, tools: Redacting): AuditDraft {
  const { what, change, conveysDecisions } = access
  const names = { name: tools.redactor.redactText(access.name), by: nameOf(access.by, tools) }
  return about("access.changed", at, {
    what,
    change,
    ...names,
    ...(conveysDecisions === true ? { conveysDecisions } : {}),
  })
}

export function serverDraft(server: BodyOf<"server.changed">, at: EpochMs, tools: Redacting): AuditDraft {
  const { redactText } = tools.redactor
  return about("server.changed", at, { ...server, server: redactText(server.server), by: redactText(server.by) })
}

/** The version of what a chain's first record says. */
const chainVersion = 1

/**
 * A chain's first record: where all other chains stand, the key its heads are signed with, and the writer's promise never to
 * leave a record unsigned that is dated more than `signedWithin` ms after the head; without it, none is held to that.
 */
export function openingDraft(
  others: readonly ChainHead[],
  keyId: string,
  at: EpochMs,
  signedWithin?: number,
): AuditDraft {
  const opening = { anchors: others.map(anchorOf), key: keyId, version: chainVersion }
  return about("chain.opened", at, signedWithin === undefined ? opening : { ...opening, signedWithin })
}

/** Where other chains stand now, so that cutting one shows in another. */
export function anchoringDraft(others: readonly ChainHead[], at: EpochMs): AuditDraft {
  return about("heads.anchored", at, { anchors: others.map(anchorOf) })
}

/** The record that retention removed payloads, and how many. */
export function removalDraft(removed: BodyOf<"payloads.removed">, at: EpochMs): AuditDraft {
  return about("payloads.removed", at, removed)
}

function about<T extends AuditType>(type: T, at: EpochMs, body: BodyOf<T>): AuditDraft {
  return { type, subject: null, step: 0, at, body }
}

function nameOf(by: string | null, tools: Redacting): string | null {
  return by === null ? null : tools.redactor.redactText(by)
}

function sessionBody(session: Session, { redactor }: Redacting): BodyOf<"session.ended"> {
  return { principal: redactor.redactText(session.principal), session: redactor.redactText(session.id) }
}

function anchorOf({ writer, seq, hash }: ChainHead): JsonObject {
  return { writer, seq, hash }
}

export type AgentRunMoment =
  | "started"
  | "paused"
  | "resumed"
  | "finished"
  | "failed"
  | "stopped"
  | "cancelled"
  | "exported"
  | "imported"

/** The title and the detail are words of agents, people and model servers. */
export function agentRunDraft(
  moment: AgentRunMoment,
  { title, detail, by, ...said }: BodyOf<"agent-run.started">,
  at: EpochMs,
  tools: Redacting,
): AuditDraft {
  return about(`agent-run.${moment}`, at, {
    ...said,
    title: tools.redactor.redactText(title),
    by: nameOf(by, tools),
    ...(detail === undefined ? {} : { detail: tools.redactor.redactText(detail) }),
  })
}
