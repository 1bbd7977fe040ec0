import type { Approval } from "../approval/approval.ts"
import type { RunOutcome } from "../approval/approval-event.ts"
import type { Grant } from "../approval/grants/grant.ts"
import type { Pin } from "../approval/pins/pin.ts"
import type { PinnedChange } from "../approval/pins/pins.ts"
import type { RefusalCode } from "../approval/refusal.ts"
import { approvalDraft } from "../audit/approval-draft.ts"
import type { AgentRunBody } from "../audit/audit-bodies.ts"
import {
  type AgentRunMoment,
  agentRunDraft,
  type DraftTools,
  definitionDraft,
  grantCreatedDraft,
  grantRevokedDraft,
  type JudgedCall,
  judgedDraft,
  liftedDraft,
  modeDraft,
  policyDraft,
  ranDraft,
  sessionEndedDraft,
} from "../audit/drafts.ts"
import { createPayloadShares, largestWhole } from "../audit/kept-payload.ts"
import type { AuditDraft } from "../audit/record.ts"
import { createRedactor } from "../audit/redact.ts"
import { type Call, type EpochMs, type Session, sessionKey, type ToolRef } from "../call/call.ts"
import { argsDigest } from "../call/digest.ts"
import type { Because, Decision } from "../policy/decide/decision.ts"
import { reasonOf, ruleText } from "../policy/decide/sentences.ts"
import type { Mode, Rule } from "../policy/rules/rule.ts"
import { callDigestOf, modeOf, targetOf } from "./callers/judge-call.ts"
import type { PolicySnapshot } from "./policy-snapshots.ts"
import type { GateOptions } from "./ports.ts"

/** The facts of a judgement besides the call itself. */
export type Judged = {
  readonly decision: Decision
  readonly snapshot: PolicySnapshot
  /** Worked out where it is not known already. */
  readonly callDigest?: string
  readonly refusal?: RefusalCode
  readonly rerunOf?: string
  readonly undoOf?: string
}

export type DefinitionAnswer = "accepted" | "rejected" | "quarantined" | "lifted"

/** Turns what the gate does into audit drafts, with its keys and its redaction. */
export type Recorder = {
  readonly judged: (id: string, call: Call, judged: Judged, at: EpochMs) => AuditDraft
  readonly ran: (id: string, call: Pick<Call, "principal">, outcome: RunOutcome, at: EpochMs) => AuditDraft
  readonly approvalMoved: (before: Approval, next: Approval, at: EpochMs, by?: string) => AuditDraft | null
  readonly grantCreated: (grant: Grant) => AuditDraft
  readonly grantRevoked: (id: string, by: string | null, at: EpochMs) => AuditDraft
  readonly sessionEnded: (session: Session, at: EpochMs) => AuditDraft
  readonly modeSet: (session: Session, mode: Mode, until: EpochMs | null, by: string, at: EpochMs) => AuditDraft
  readonly toolLifted: (session: Session, tool: ToolRef, by: string, at: EpochMs) => AuditDraft
  readonly definitionSeen: (pin: Pin, kind: PinnedChange["kind"], at: EpochMs) => AuditDraft
  /** `was`: the pin before the answer. */
  readonly definitionAnswered: (answer: DefinitionAnswer, was: Pin, by: string, at: EpochMs) => AuditDraft
  readonly policyChanged: (was: string, policy: string, by: string | null, at: EpochMs) => AuditDraft
  readonly agentRun: (moment: AgentRunMoment, body: AgentRunBody, at: EpochMs) => AuditDraft
}

export function createRecorder(options: Pick<GateOptions, "hasher" | "digestKey" | "redactor">): Recorder {
  const { hasher, digestKey, redactor = createRedactor() } = options
  const tools: DraftTools = { hasher, digestKey, redactor }
  const shares = createPayloadShares()
  const toolsFor = ({ principal }: Pick<Call, "principal">, at: EpochMs): DraftTools => {
    const largestPayload = shares.largestFor(principal.id, at)
    return largestPayload === largestWhole ? tools : { ...tools, largestPayload }
  }
  const counted = ({ principal }: Pick<Call, "principal">, draft: AuditDraft): AuditDraft => {
    shares.note(principal.id, draft)
    return draft
  }
  return {
    judged: (id, call, judged, at) => {
      const { decision, snapshot, callDigest = callDigestOf({ options }, call, call.args) } = judged
      const rule = ruleOf(decision.because)
      const whole: JudgedCall = {
        id,
        call,
        decision,
        rule: rule === null ? null : ruleText(rule),
        reason: reasonOf(decision, targetOf(call)),
        mode: modeOf(snapshot, sessionKey(call.session), at),
        callDigest,
        extraDigest: call.extraParams === undefined ? undefined : argsDigest(call.extraParams, hasher),
        fingerprint: snapshot.facts(call.tool, call.listed)?.fingerprint ?? "",
        policy: snapshot.policy.version,
        refusal: judged.refusal,
        rerunOf: judged.rerunOf,
        undoOf: judged.undoOf,
      }
      return counted(call, judgedDraft(whole, at, toolsFor(call, at)))
    },
    ran: (id, call, outcome, at) => counted(call, ranDraft(id, outcome, at, toolsFor(call, at))),
    approvalMoved: (before, next, at, by) => approvalDraft(before, next, at, tools, by),
    grantCreated: (grant) => grantCreatedDraft(grant, grant.createdAt, tools),
    grantRevoked: (id, by, at) => grantRevokedDraft(id, by, at, tools),
    sessionEnded: (session, at) => sessionEndedDraft(session, at, tools),
    modeSet: (session, mode, until, by, at) => modeDraft(session, { mode, until, by }, at, tools),
    toolLifted: (session, tool, by, at) => liftedDraft(session, tool, by, at, tools),
    definitionSeen: (pin, kind, at) => definitionDraft(...seenDefinition(pin, kind), at, tools),
    definitionAnswered: (answer, was, by, at) =>
      definitionDraft(`definition.${answer}`, definitionOf(was, was.accepted?.fingerprint ?? null, by), at, tools),
    policyChanged: (was, policy, by, at) => policyDraft({ was, policy, by }, at, tools),
    agentRun: (moment, body, at) => agentRunDraft(moment, body, at, tools),
  }
}

function ruleOf(because: Because): Rule | null {
  if (because.kind === "mode") return ruleOf(because.instead)
  return because.kind === "rule" || because.kind === "unjudged" ? because.rule : null
}

function seenDefinition(pin: Pin, kind: PinnedChange["kind"]) {
  const type = kind === "pinned" || kind === "back" ? "definition.pinned" : "definition.proposed"
  return [type, definitionOf(pin, pin.proposed === null ? null : (pin.accepted?.fingerprint ?? null), null)] as const
}

function definitionOf(pin: Pin, was: string | null, by: string | null) {
  const fingerprint = (pin.proposed ?? pin.accepted)?.fingerprint ?? ""
  return { server: pin.server, tool: pin.tool, fingerprint, was, by }
}
