export { type Approval, type ApprovalStatus, openStatuses } from "./approval/approval.ts"
export type { Reviewer, RunOutcome } from "./approval/approval-event.ts"
export { type ApprovalSummary, summaryOf } from "./approval/approval-summary.ts"
export { previewOf } from "./approval/argument-preview.ts"
export { bytesOf } from "./approval/checked-arguments.ts"
export { mayBeDecidedInClient } from "./approval/decided-in-client.ts"
export { freezeReads } from "./approval/freeze-reads.ts"
export type { Grant } from "./approval/grants/grant.ts"
export { grantAtLevel } from "./approval/grants/grant-at-level.ts"
export {
  allowedPatterns,
  allPermissions,
  deniedPatterns,
  isAllowed,
  levelOf,
  levelOfGrant,
  sessionGrants,
} from "./approval/grants/levels.ts"
export { grantCovers } from "./approval/grants/make-grant.ts"
export { type ArgDifference, nearMiss } from "./approval/grants/near-miss.ts"
export { newGrant } from "./approval/grants/new-grant.ts"
export { setLevel } from "./approval/grants/set-level.ts"
export { withoutSights } from "./approval/pins/forget-sights.ts"
export {
  isAccepted,
  isPinOf,
  type Pin,
  type PinAnswer,
  type ProposedDefinition,
  programPin,
} from "./approval/pins/pin.ts"
export { pinState } from "./approval/pins/pins.ts"
export type { Refusal, RefusalCode } from "./approval/refusal.ts"
export { transition } from "./approval/transition.ts"
export { bearsOnDecisions, newSessionRecord, type SessionRecord } from "./approval/usage/session-record.ts"
export {
  addToTotal,
  addUse,
  type CallUse,
  forgetCountsAt,
  isCounted,
  type PrincipalCounts,
  type SessionTotal,
  type UsageCounts,
  usageBeyond,
} from "./approval/usage/usage.ts"
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
export { accessDraft, anchoringDraft, launchedDraft, openingDraft, removalDraft, serverDraft } from "./audit/drafts.ts"
export { largestWhole } from "./audit/kept-payload.ts"
export {
  type AuditDraft,
  type AuditRecord,
  type AuditType,
  auditTypes,
  type ChainHead,
  type SignedHead,
  type SignedRoster,
} from "./audit/record.ts"
export { createRedactor, type Redactor } from "./audit/redact.ts"
export { verifyAudit } from "./audit/verify-audit.ts"
export { type AskingProgram, askingPrograms } from "./call/asking-programs.ts"
export { assertNever } from "./call/assert-never.ts"
export {
  type BodyBudget,
  type BodyLimits,
  type BodyShare,
  createBodyBudget,
  defaultBodyLimits,
  freeBodyBytes,
} from "./call/body/body-budget.ts"
export { createBodyTurns } from "./call/body/body-turns.ts"
export { ByteCollector } from "./call/body/byte-collector.ts"
export { splitLines } from "./call/body/split-lines.ts"
export {
  createUnreadBudget,
  defaultUnreadLimits,
  largeAnswer,
  type UnreadAnswer,
  type UnreadBudget,
  type UnreadLimits,
} from "./call/body/unread-budget.ts"
export {
  type Call,
  credentialOf,
  type EpochMs,
  type ListedTool,
  type Principal,
  type Session,
  sessionKey,
  type ToolRef,
  toolName,
} from "./call/call.ts"
export { CallError } from "./call/call-error.ts"
export { callersBehind, callersWords, starterWords } from "./call/callers-behind.ts"
export { definitionDifference } from "./call/definition/definition-difference.ts"
export { fingerprint } from "./call/definition/fingerprint.ts"
export type { PinDepth, SchemaValidator, ToolDefinition } from "./call/definition/tool-definition.ts"
export { argsDigest } from "./call/digest.ts"
export { isFairShare } from "./call/fair-share.ts"
export type { Hasher, Signer } from "./call/hasher.ts"
export { createLoopShare, inTurns, type LoopShare, type LoopTurns, type StillWanted } from "./call/in-turns.ts"
export { canonicalJson } from "./call/json/canonical-json.ts"
export { foldedKey } from "./call/json/folded-key.ts"
export type { JsonObject, JsonValue, RawNumber } from "./call/json/json.ts"
export { pointerTo } from "./call/json/json-pointer.ts"
export { bytesPerValue, keptBytes, valuesIn } from "./call/json/kept-bytes.ts"
export { asObject, isObject, listAt, memberAt, objectAt, textAt, without } from "./call/json/members.ts"
export { isRawNumber } from "./call/json/raw-number.ts"
export { defaultJsonValues, type ReadLimits, type ReadResult, readJson } from "./call/json/read-json.ts"
export { readStoredJson } from "./call/json/read-stored-json.ts"
export { textAmongValues } from "./call/json/text-among-values.ts"
export { createJudgingTurns, type JudgingTurns } from "./call/judging-turns.ts"
export { portableHasher } from "./call/portable-hasher.ts"
export { createRounds, type Rounds } from "./call/rounds.ts"
export {
  isRunPrincipal,
  type RunPrincipal,
  type RunStarter,
  runnerOf,
  runPrincipals,
  starterName,
} from "./call/run-principal.ts"
export { allSteps, stepsInTurns, type WorkSteps } from "./call/steps.ts"
export {
  createRest,
  createTellingRest,
  isLongTelling,
  type Pace,
  type Rest,
  type TellingRest,
} from "./call/telling-rest.ts"
export { firstCharacters } from "./call/text/first-characters.ts"
export { createLineFeeds } from "./call/text/line-feeds.ts"
export { longestName } from "./call/text/longest-name.ts"
export { ownNameLikeness, ownNameWarning } from "./call/text/own-name.ts"
export { plainName } from "./call/text/plain-name.ts"
export { isOneWord, quoted, shownName, unambiguousJson, wholeName, withoutEnds } from "./call/text/quoted.ts"
export { mayBeReordered } from "./call/text/right-to-left.ts"
export { hasHiddenCharacters, showText } from "./call/text/show-text.ts"
export { sizeInWords } from "./call/text/size-in-words.ts"
export { utf8Length } from "./call/text/utf8-length.ts"
export { isReviewersAnswer } from "./gate/callers/lapsed-yes.ts"
export { outcomeOf } from "./gate/callers/outcome.ts"
export { createGate } from "./gate/create-gate.ts"
export { decisionScope, decisionScopes } from "./gate/decision-events.ts"
export type {
  AnswerRefusal,
  CallerGate,
  ClientAnswer,
  ConveyedAnswer,
  Gate,
  GateUpkeep,
  MayTell,
  Outcome,
  OutcomeNote,
  ReviewerGate,
  Run,
  RunContext,
  SubmitOptions,
  Verdict,
  VerdictResult,
} from "./gate/gate.ts"
export type { DecisionBasis } from "./gate/policy-snapshots.ts"
export type { GateOptions, GateTimes } from "./gate/ports.ts"
export { reviewerKind } from "./gate/reviewers-now.ts"
export { revocationKind } from "./gate/revocations.ts"
export {
  type AskedRunCall,
  type CarriedRun,
  type NewRun,
  type RunCall,
  type RunChanged,
  type RunGate,
  type RunImported,
  type RunPause,
  type RunPaused,
  runCallKey,
  type TriedCall,
} from "./gate/runs/run-gate.ts"
export {
  type ApprovalQuery,
  type AuditQuery,
  type CallKey,
  type Change,
  type CommitResult,
  type DecisionState,
  type HeldCount,
  type HeldExcess,
  type HeldLimits,
  type JournalWrite,
  type OpenRunTotals,
  type OthersOfStore,
  type RecordWithPayload,
  type RunHeldLimits,
  type RunQuery,
  type SessionState,
  type Store,
  type StoredDocument,
  StoreError,
  type StoreErrorCode,
  type StoreEvent,
  type StoreEventDraft,
} from "./gate/store.ts"
export { comparePolicies, type PolicyChange } from "./policy/compare/compare-policies.ts"
export { tightenedPolicy } from "./policy/compare/tightened-policy.ts"
export { keyOf, keySegments } from "./policy/conditions/argument-key.ts"
export { keyWords } from "./policy/conditions/condition-words.ts"
export { compileGlob, escapeGlob, literalOf } from "./policy/conditions/glob.ts"
export { isAbsolutePath } from "./policy/conditions/path.ts"
export type { FindPlaces } from "./policy/conditions/path-lookup.ts"
export { type CompiledPolicy, compilePolicy, type PolicyPorts } from "./policy/decide/compile-policy.ts"
export { decide } from "./policy/decide/decide.ts"
export type { Decision, PinState, Question, Target, ToolFacts } from "./policy/decide/decision.ts"
export { idleUsage, type UsageLimits } from "./policy/decide/exceeded-limit.ts"
export { explain } from "./policy/decide/explain.ts"
export { indexGrants } from "./policy/decide/index-grants.ts"
export { describeRemembered, describeRule, reasonOf, ruleText } from "./policy/decide/sentences.ts"
export { isNamedAsProse, namesPath, namesProgram } from "./policy/risks/argument-kind.ts"
export { type DefinitionFlag, definitionFlags } from "./policy/risks/definition-flags.ts"
export type { Risk } from "./policy/risks/risk.ts"
export { firstUseRisks, risksOf } from "./policy/risks/risks.ts"
export { looksSecret } from "./policy/risks/secret-like.ts"
export type { RiskContext } from "./policy/risks/text-risks.ts"
export { argumentNames } from "./policy/rules/argument-shape.ts"
export {
  type AutonomyKind,
  allModes,
  autonomousMode,
  autonomyKinds,
  autonomyOf,
  policyMode,
} from "./policy/rules/autonomy.ts"
export { keptAsGiven } from "./policy/rules/kept-as-given.ts"
export {
  type AnswerScope,
  type Breadth,
  type Remembered,
  scopeOf,
  scopeOfAnswer,
  serves,
} from "./policy/rules/remembered.ts"
export {
  type AccessBreadth,
  type ClassifyRule,
  type Condition,
  defaultLimits,
  defaultWaits,
  type Effect,
  emptyPolicy,
  type Limits,
  type Mode,
  type Policy,
  type PolicyWithoutFolders,
  type Rule,
  type RuleOrigin,
  type ServerPolicy,
  type TargetKind,
  type TargetPattern,
  type Waits,
  type WorkingFolders,
  waitsOf,
} from "./policy/rules/rule.ts"
export { formatTargetPattern, parseTargetPattern } from "./policy/rules/target-pattern.ts"
export { toolFacts } from "./policy/rules/tool-facts.ts"
export { basesOf, foldersIn, unknownStart } from "./policy/server-folders.ts"
export { serverPolicyOf, withFoldersOf, withoutFolders } from "./policy/server-policy.ts"
export type {
  AgentRun,
  AgentRunStatus,
  CancelledRun,
  FailedRun,
  FinishedRun,
  JournalLine,
  PausedRun,
  Requirement,
  RunningRun,
  RunSetup,
  TokenUsage,
} from "./run/agent-run.ts"
export { principalOfRun, runSession, setupBytes } from "./run/agent-run.ts"
export type {
  HttpModelConfig,
  ModelConfig,
  ModelProvider,
  ScriptedCall,
  ScriptedFailure,
  ScriptedModelConfig,
  ScriptedStep,
} from "./run/model-config.ts"
export { modelProviders } from "./run/model-config.ts"
export { type RunSummary, runSummaryOf, threadInSummary } from "./run/run-summary.ts"
export type { RunEvent, RunProgress, RunRefusal, RunTransition } from "./run/run-transition.ts"
export { openCallsOf, runTransition } from "./run/run-transition.ts"
export type { StateRefusal } from "./run/state-refusal.ts"
