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
export type { Grant, Level } from "./approval/grants/grant.ts"
export { grantAtLevel } from "./approval/grants/grant-at-level.ts"
export type { Lookup, Permission } from "./approval/grants/levels.ts"
export {
  allowedPatterns,
  allPermissions,
  deniedPatterns,
  isAllowed,
  levelOf,
  levelOfGrant,
  sessionGrants,
} from "./approval/grants/levels.ts"
export type { GrantRefusal } from "./approval/grants/make-grant.ts"
export { grantCovers } from "./approval/grants/make-grant.ts"
export type { ArgDifference } from "./approval/grants/near-miss.ts"
export { nearMiss } from "./approval/grants/near-miss.ts"
export type { LapsedGrant } from "./approval/grants/new-grant.ts"
export { newGrant } from "./approval/grants/new-grant.ts"
export { setLevel } from "./approval/grants/set-level.ts"
export type { NewApproval } from "./approval/new-approval.ts"
export { newApproval } from "./approval/new-approval.ts"
export type { AcceptedDefinition, Pin, PinAnswer, PinRef, ProposedDefinition } from "./approval/pins/pin.ts"
export { isPinOf, programPin } from "./approval/pins/pin.ts"
export { pinState } from "./approval/pins/pins.ts"
export type { Refusal, RefusalCode } from "./approval/refusal.ts"
export { transition } from "./approval/transition.ts"
export type { SessionRecord } from "./approval/usage/session-record.ts"
export { bearsOnDecisions, newSessionRecord } from "./approval/usage/session-record.ts"
export type { CallUse, PrincipalCounts, SessionTotal, UsageCounts } from "./approval/usage/usage.ts"
export { addToTotal, addUse, forgetCountsAt, isCounted, usageBeyond } from "./approval/usage/usage.ts"
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
export { assertNever } from "./call/assert-never.ts"
export type { BodyBudget, BodyLimits, BodyShare } from "./call/body-budget.ts"
export { createBodyBudget, defaultBodyLimits, freeBodyBytes } from "./call/body-budget.ts"
export type { BodyTurns, WaitingBody } from "./call/body-turns.ts"
export { createBodyTurns } from "./call/body-turns.ts"
export { ByteCollector } from "./call/byte-collector.ts"
export type { Call, EpochMs, ListedTool, Principal, Session, ToolRef } from "./call/call.ts"
export { sessionKey, toolName } from "./call/call.ts"
export { CallError } from "./call/call-error.ts"
export type { Difference } from "./call/definition/definition-difference.ts"
export { definitionDifference } from "./call/definition/definition-difference.ts"
export { fingerprint } from "./call/definition/fingerprint.ts"
export type { PinDepth, SchemaValidator, ToolDefinition } from "./call/definition/tool-definition.ts"
export { argsDigest } from "./call/digest.ts"
export { firstCharacters } from "./call/first-characters.ts"
export type { Hasher, Signer } from "./call/hasher.ts"
export { canonicalJson } from "./call/json/canonical-json.ts"
export type { JsonObject, JsonValue, RawNumber } from "./call/json/json.ts"
export { pointerTo } from "./call/json/json-pointer.ts"
export type { JsonProblem } from "./call/json/json-problem.ts"
export { asObject, isObject, listAt, memberAt, objectAt, textAt, without } from "./call/json/members.ts"
export { isRawNumber } from "./call/json/raw-number.ts"
export type { ReadLimits, ReadResult } from "./call/json/read-json.ts"
export { defaultJsonValues, readJson } from "./call/json/read-json.ts"
export { readStoredJson } from "./call/json/read-stored-json.ts"
export { textAmongValues } from "./call/json/text-among-values.ts"
export { ownNameLikeness, ownNameWarning } from "./call/own-name.ts"
export { portableHasher } from "./call/portable-hasher.ts"
export { quoted } from "./call/quoted.ts"
export type { HiddenCharacter } from "./call/show-text.ts"
export { hasHiddenCharacters, showText } from "./call/show-text.ts"
export { sizeInWords } from "./call/size-in-words.ts"
export { splitLines } from "./call/split-lines.ts"
export { utf8Length } from "./call/utf8-length.ts"
export { outcomeOf } from "./gate/callers/outcome.ts"
export { createGate } from "./gate/create-gate.ts"
export type { DecisionScope } from "./gate/decision-events.ts"
export { decisionScope } from "./gate/decision-events.ts"
export type {
  AddedGrant,
  AlsoSettled,
  AnswerRefusal,
  CallerGate,
  ClientAnswer,
  Gate,
  GateUpkeep,
  LevelAnswer,
  ModeAnswer,
  ModeOptions,
  NewGrant,
  Outcome,
  OutcomeNote,
  Remember,
  ReviewerGate,
  Run,
  RunContext,
  RunNowAnswer,
  RunNowOrder,
  SubmitOptions,
  Verdict,
  VerdictResult,
  WantedLevel,
} from "./gate/gate.ts"
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
export type { PolicyChange, PolicyComparison } from "./policy/compare/compare-policies.ts"
export { comparePolicies } from "./policy/compare/compare-policies.ts"
export type { Catalogue, PolicyProblem } from "./policy/compare/lint-policy.ts"
export { lintPolicy } from "./policy/compare/lint-policy.ts"
export type { DifferentCall, RecordedCall, Replay, ReplayInput, ReplaySide } from "./policy/compare/replay-calls.ts"
export { replayCalls } from "./policy/compare/replay-calls.ts"
export type { AnsweredCall, RuleSuggestion, SuggestInput } from "./policy/compare/suggest-rules.ts"
export { suggestRules } from "./policy/compare/suggest-rules.ts"
export { tightenedPolicy } from "./policy/compare/tightened-policy.ts"
export {
  compileGlob,
  escapeGlob,
  globCovers,
  globsDisjoint,
  isLiteralGlob,
  literalOf,
} from "./policy/conditions/glob.ts"
export { isAbsolutePath } from "./policy/conditions/path.ts"
export type { FindPlaces } from "./policy/conditions/path-under.ts"
export type { CompiledPolicy, PolicyPorts } from "./policy/decide/compile-policy.ts"
export { compilePolicy } from "./policy/decide/compile-policy.ts"
export { decide } from "./policy/decide/decide.ts"
export type { Because, Decision, PinState, Question, Target, ToolFacts, Usage } from "./policy/decide/decision.ts"
export type { UsageLimits } from "./policy/decide/exceeded-limit.ts"
export { idleUsage } from "./policy/decide/exceeded-limit.ts"
export type { Explanation, Matched, Nearest } from "./policy/decide/explain.ts"
export { explain } from "./policy/decide/explain.ts"
export type { GrantIndex } from "./policy/decide/index-grants.ts"
export { indexGrants } from "./policy/decide/index-grants.ts"
export { describeRemembered, describeRule, reasonOf, ruleText } from "./policy/decide/sentences.ts"
export { namesPath, namesProse } from "./policy/risks/argument-kind.ts"
export type { DefinitionFlag } from "./policy/risks/definition-flags.ts"
export { definitionFlags } from "./policy/risks/definition-flags.ts"
export type { Risk, RiskKind } from "./policy/risks/risk.ts"
export { risksOf } from "./policy/risks/risks.ts"
export { looksSecret } from "./policy/risks/secret-like.ts"
export type { RiskContext } from "./policy/risks/text-risks.ts"
export type { Breadth, Remembered } from "./policy/rules/remembered.ts"
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
} from "./policy/rules/rule.ts"
export { defaultLimits, emptyPolicy } from "./policy/rules/rule.ts"
export {
  compileTarget,
  formatTargetPattern,
  formatToolLiteral,
  parseTargetPattern,
} from "./policy/rules/target-pattern.ts"
export { toolAccess } from "./policy/rules/tool-access.ts"
export { toolFacts } from "./policy/rules/tool-facts.ts"
export { basesOf, foldersIn } from "./policy/server-folders.ts"
