export type { Approval, ApprovalStatus, CallerId, Held, OpenStatus, Vote } from "./approval/approval.ts"
export { openStatuses } from "./approval/approval.ts"
export type { ApprovalEvent, Reviewer, RunOutcome, Transition, TransitionRefusal } from "./approval/approval-event.ts"
export type { Grant, Level } from "./approval/grant.ts"
export type { AcceptedDefinition, Pin } from "./approval/pin.ts"
export type { Refusal, RefusalCode } from "./approval/refusal.ts"
export type { SessionRecord } from "./approval/session-record.ts"
export {
  emptyChain,
  headIsSigned,
  headOf,
  linkRecord,
  recordHash,
  recordPrefix,
  rosterIsSigned,
  signHead,
  signRoster,
} from "./audit/chain.ts"
export type { AuditDraft, AuditRecord, AuditType, ChainHead, SignedHead, SignedRoster } from "./audit/record.ts"
export { auditTypes } from "./audit/record.ts"
export type { Call, EpochMs, Principal, Session, ToolRef } from "./call/call.ts"
export { sessionKey, toolName } from "./call/call.ts"
export type { Hasher, Signer } from "./call/hasher.ts"
export type { JsonObject, JsonValue, RawNumber } from "./call/json.ts"
export type { PinDepth, SchemaValidator, ToolDefinition } from "./call/tool-definition.ts"
export type {
  Answer,
  AnswerRefusal,
  Gate,
  ModeAnswer,
  ModeOptions,
  NewGrant,
  Outcome,
  OutcomeNote,
  Remember,
  Run,
  RunContext,
  SubmitOptions,
  Verdict,
} from "./gate/gate.ts"
export type {
  ApprovalQuery,
  AuditQuery,
  CallKey,
  Change,
  CommitResult,
  DecisionState,
  Store,
  StoreErrorCode,
  StoreEvent,
  StoreEventDraft,
} from "./gate/store.ts"
export { StoreError } from "./gate/store.ts"
export type { Because, Decision, PinState, Question, Target, ToolFacts, Usage } from "./policy/decision.ts"
export type { Breadth, Remembered } from "./policy/remembered.ts"
export type {
  Access,
  AccessBreadth,
  ClassifyRule,
  Condition,
  Effect,
  Limits,
  Mode,
  Policy,
  Rule,
  RuleOrigin,
  ServerPolicy,
  TargetKind,
  TargetPattern,
} from "./policy/rule.ts"
export { defaultLimits, emptyPolicy } from "./policy/rule.ts"
