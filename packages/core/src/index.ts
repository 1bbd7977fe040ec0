export type {
  Approval,
  ApprovalStatus,
  CallerId,
  Held,
  OpenStatus,
  PendingApproval,
  Vote,
} from "./approval/approval.ts"
export { openStatuses } from "./approval/approval.ts"
export type { ApprovalEvent, Reviewer, RunOutcome, Transition, TransitionRefusal } from "./approval/approval-event.ts"
export type { ApprovalSummary } from "./approval/approval-summary.ts"
export { summaryOf } from "./approval/approval-summary.ts"
export type { PreviewedArgument } from "./approval/argument-preview.ts"
export { previewOf } from "./approval/argument-preview.ts"
export { bytesOf } from "./approval/checked-arguments.ts"
export { answeredInClient, mayBeDecidedInClient } from "./approval/decided-in-client.ts"
export { freezeReads } from "./approval/freeze-reads.ts"
export type { Grant, Level } from "./approval/grant.ts"
export { grantAtLevel } from "./approval/grant-at-level.ts"
export type { Lookup, Permission } from "./approval/levels.ts"
export {
  allowedPatterns,
  allPermissions,
  deniedPatterns,
  isAllowed,
  levelOf,
  levelOfGrant,
  sessionGrants,
} from "./approval/levels.ts"
export type { GrantRefusal } from "./approval/make-grant.ts"
export { grantCovers } from "./approval/make-grant.ts"
export type { ArgDifference } from "./approval/near-miss.ts"
export { nearMiss } from "./approval/near-miss.ts"
export type { NewApproval } from "./approval/new-approval.ts"
export { newApproval } from "./approval/new-approval.ts"
export type { LapsedGrant } from "./approval/new-grant.ts"
export { newGrant } from "./approval/new-grant.ts"
export type { AcceptedDefinition, Pin, PinAnswer, PinRef, ProposedDefinition } from "./approval/pin.ts"
export { isPinOf, programPin } from "./approval/pin.ts"
export { pinState } from "./approval/pins.ts"
export type { Refusal, RefusalCode } from "./approval/refusal.ts"
export type { SessionRecord } from "./approval/session-record.ts"
export { newSessionRecord } from "./approval/session-record.ts"
export { setLevel } from "./approval/set-level.ts"
export { transition } from "./approval/transition.ts"
export type { CallUse, PrincipalCounts, SessionTotal, UsageCounts } from "./approval/usage.ts"
export { addToTotal, addUse, forgetCountsAt, isCounted, usageBeyond } from "./approval/usage.ts"
export type { AuditBodies } from "./audit/audit-bodies.ts"
export type { AuditProblem } from "./audit/audit-problem.ts"
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
export { csvLine } from "./audit/csv-line.ts"
export { accessDraft, anchoringDraft, openingDraft, removalDraft, serverDraft } from "./audit/drafts.ts"
export { largestWhole } from "./audit/kept-payload.ts"
export type { AuditDraft, AuditRecord, AuditType, ChainHead, SignedHead, SignedRoster } from "./audit/record.ts"
export { auditTypes } from "./audit/record.ts"
export type { Redactor } from "./audit/redact.ts"
export { createRedactor } from "./audit/redact.ts"
export type { AuditReport, VerifyOptions } from "./audit/verify-audit.ts"
export { verifyAudit } from "./audit/verify-audit.ts"
export type { BodyBudget, BodyLimits, BodyShare } from "./call/body-budget.ts"
export { createBodyBudget, defaultBodyLimits, freeBodyBytes } from "./call/body-budget.ts"
export type { BodyTurns, WaitingBody } from "./call/body-turns.ts"
export { createBodyTurns } from "./call/body-turns.ts"
export { ByteCollector } from "./call/byte-collector.ts"
export type { Call, EpochMs, Listed, Principal, Session, ToolRef } from "./call/call.ts"
export { sessionKey, toolName } from "./call/call.ts"
export { CallError } from "./call/call-error.ts"
export { canonicalJson } from "./call/canonical-json.ts"
export type { Difference } from "./call/definition-difference.ts"
export { definitionDifference } from "./call/definition-difference.ts"
export { argsDigest } from "./call/digest.ts"
export { fingerprint } from "./call/fingerprint.ts"
export type { Hasher, Signer } from "./call/hasher.ts"
export type { JsonObject, JsonValue, RawNumber } from "./call/json.ts"
export { pointerTo } from "./call/json-pointer.ts"
export type { JsonProblem } from "./call/json-problem.ts"
export { ownNameLikeness, ownNameWarning } from "./call/own-name.ts"
export { portableHasher } from "./call/portable-hasher.ts"
export { isRawNumber } from "./call/raw-number.ts"
export type { ReadLimits, ReadResult } from "./call/read-json.ts"
export { defaultJsonValues, readJson } from "./call/read-json.ts"
export { readStoredJson } from "./call/read-stored-json.ts"
export type { HiddenCharacter } from "./call/show-text.ts"
export { hasHiddenCharacters, showText } from "./call/show-text.ts"
export type { PinDepth, SchemaValidator, ToolDefinition } from "./call/tool-definition.ts"
export { utf8Length } from "./call/utf8-length.ts"
export { createGate } from "./gate/create-gate.ts"
export type {
  AddedGrant,
  AlsoSettled,
  Answer,
  AnswerRefusal,
  Gate,
  LevelAnswer,
  ModeAnswer,
  ModeOptions,
  NewGrant,
  Outcome,
  OutcomeNote,
  Remember,
  Run,
  RunContext,
  RunNowAnswer,
  RunNowOrder,
  SubmitOptions,
  Verdict,
  WantedLevel,
} from "./gate/gate.ts"
export { outcomeOf } from "./gate/outcome.ts"
export type { GateOptions, GateTimes } from "./gate/ports.ts"
export { defaultTimes } from "./gate/ports.ts"
export type {
  ApprovalQuery,
  AuditQuery,
  CallKey,
  Change,
  CommitResult,
  DecisionState,
  HeldExcess,
  HeldLimits,
  RecordWithPayload,
  Store,
  StoredDocument,
  StoreErrorCode,
  StoreEvent,
  StoreEventDraft,
} from "./gate/store.ts"
export { StoreError } from "./gate/store.ts"
export { namesPath } from "./policy/argument-kind.ts"
export type { PolicyChange, PolicyComparison } from "./policy/compare-policies.ts"
export { comparePolicies } from "./policy/compare-policies.ts"
export type { CompiledPolicy, PolicyPorts } from "./policy/compile-policy.ts"
export { compilePolicy } from "./policy/compile-policy.ts"
export { decide } from "./policy/decide.ts"
export type { Because, Decision, PinState, Question, Target, ToolFacts, Usage } from "./policy/decision.ts"
export type { DefinitionFlag } from "./policy/definition-flags.ts"
export { definitionFlags } from "./policy/definition-flags.ts"
export type { UsageLimits } from "./policy/exceeded-limit.ts"
export { idleUsage } from "./policy/exceeded-limit.ts"
export type { Explanation, Matched, Nearest } from "./policy/explain.ts"
export { explain } from "./policy/explain.ts"
export { compileGlob, escapeGlob, globCovers, globsDisjoint, isLiteralGlob, literalOf } from "./policy/glob.ts"
export type { GrantIndex } from "./policy/index-grants.ts"
export { indexGrants } from "./policy/index-grants.ts"
export type { Catalogue, PolicyProblem } from "./policy/lint-policy.ts"
export { lintPolicy } from "./policy/lint-policy.ts"
export { isAbsolutePath } from "./policy/path.ts"
export type { FindPlaces } from "./policy/path-under.ts"
export type { Breadth, Remembered } from "./policy/remembered.ts"
export type { DifferentCall, RecordedCall, Replay, ReplayInput, ReplaySide } from "./policy/replay-calls.ts"
export { replayCalls } from "./policy/replay-calls.ts"
export type { Risk, RiskKind } from "./policy/risk.ts"
export { risksOf } from "./policy/risks.ts"
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
export { looksSecret } from "./policy/secret-like.ts"
export { describeRemembered, describeRule, reasonOf, ruleText } from "./policy/sentences.ts"
export { basesOf, foldersIn } from "./policy/server-folders.ts"
export type { AnsweredCall, RuleSuggestion, SuggestInput } from "./policy/suggest-rules.ts"
export { suggestRules } from "./policy/suggest-rules.ts"
export { compileTarget, formatTargetPattern, formatToolLiteral, parseTargetPattern } from "./policy/target-pattern.ts"
export type { RiskContext } from "./policy/text-risks.ts"
export { tightenedPolicy } from "./policy/tightened-policy.ts"
export { toolAccess } from "./policy/tool-access.ts"
export { toolFacts } from "./policy/tool-facts.ts"
