export { ApiError } from "./api-error.ts"
export { type GrantsFile, grantsFile, type PublicJwk, publicJwk, type VerdictBody } from "./bodies.ts"
export { type AcceptedRule, acceptRule, takeBackRule } from "./client/accept-rule.ts"
export { applyEvent, emptyInbox, type InboxState } from "./client/apply-event.ts"
export { type AnswerOf, type Client, createClient, type InputOf } from "./client/create-client.ts"
export { bodyHash, type DeviceKey, deviceKeyFrom, newDeviceKey, signProof } from "./client/dpop-proof.ts"
export { followEvents } from "./client/follow-events.ts"
export type { ServiceReply } from "./gate/ask-service.ts"
export { wordHoldsMs } from "./gate/ask-still-runs.ts"
export { attendSession } from "./gate/attend-session.ts"
export { elapsedHere } from "./gate/elapsed-here.ts"
export { gatePaths, gateProtocol, lineNameHeader } from "./gate/gate-paths.ts"
export { fetchTransport, type GateTransport, lineReader } from "./gate/gate-transport.ts"
export {
  attendBody,
  cancelBody,
  clientAnswerBody,
  endBody,
  type InstructionsAnswer,
  instructionsBody,
  judgeBody,
  type LaunchSwitch,
  launchSwitches,
  mayStillRunBody,
  mayStillSendBody,
  mostBodyBytes,
  mostJudged,
  type OfferedAnswer,
  type ResumeBody,
  resumeBody,
  type SubmitBody,
  type SubmitLine,
  seenBody,
  settleBody,
  submitBody,
  type ToolsAnswer,
  toolsBody,
} from "./gate/gate-wire.ts"
export { createRemoteGate } from "./gate/remote-gate.ts"
export { tellSeen } from "./gate/tell-seen.ts"
export { openApiDocument } from "./openapi-document.ts"
export type { Problem, ProblemCode } from "./problem.ts"
export type { Route } from "./route.ts"
export { type RouteName, type Routes, routes } from "./routes.ts"
export type { ContinueRunBody, RunDecision, StartRunBody } from "./run-bodies.ts"
export { asShown } from "./show/as-shown.ts"
export { readCutJson } from "./show/cut-json.ts"
export { contentNames, type FileChange, fileChanges, pathNames, type TextEdit } from "./show/file-change.ts"
export { foreseen } from "./show/foreseen.ts"
export { howSaid, isPlainYes, snakeCase } from "./show/how-said.ts"
export { holdsSecret, type Masked, maskValue } from "./show/masking.ts"
export { coverWords, remainingWords } from "./show/observed-words.ts"
export { byRisk, type RiskLevel, riskLevelOf } from "./show/risk-level.ts"
export { scopeWords } from "./show/scope-words.ts"
export { connectionWords, shortSessionName } from "./show/session-name.ts"
export { givenWords } from "./show/setup-words.ts"
export type { Answered, AnsweredAll, ImportedGrants, NewLink, NewToken, SignedIn } from "./verdict/answers.ts"
export {
  definitionsDigest,
  grantAsShown,
  grantsDigest,
  type ShownGrant,
  type ShownSession,
  sessionAsShown,
  sessionDigest,
  shownDefinitionsText,
  shownGrantsText,
  shownSessionText,
} from "./verdict/bind-act.ts"
export { shownUndoText, undoDigest } from "./verdict/bind-undo.ts"
export {
  bindVerdict,
  type ShownCall,
  shownArguments,
  shownDigest,
  shownExtraParams,
  shownText,
  type UnboundVerdict,
  verdictText,
} from "./verdict/bind-verdict.ts"
export type { ApprovalSummaryView, ApprovalView, RiskKindView } from "./views/approval-view.ts"
export type { AuditRecordView, AuditReportView } from "./views/audit-view.ts"
export type {
  CallView,
  CurrentContentView,
  EditPreviewView,
  InsightView,
  StoryView,
  UndoView,
} from "./views/call-view.ts"
export type { DeviceView, HelloView, MeView, ReviewerView, TokenView } from "./views/credential-views.ts"
export type { EventView } from "./views/event-view.ts"
export type { GrantView } from "./views/grant-view.ts"
export type { ObservedView, ProposedRuleView } from "./views/observed-view.ts"
export type {
  PolicyPreviewView,
  PolicyTextView,
  SuggestionsView,
  SuggestionView,
  TextProblem,
} from "./views/policy-text-view.ts"
export type { ExplanationView, PolicyView } from "./views/policy-view.ts"
export type {
  ExportedRulesView,
  ImportedRulesView,
  RuleLanguageView,
  RuleLossView,
} from "./views/rule-language-view.ts"
export type {
  ModelView,
  RunAnswerView,
  RunDetailsView,
  RunEventView,
  RunPartView,
  RunPictureView,
  RunSummaryView,
  RunView,
  StoryItemView,
} from "./views/run-view.ts"
export type { HealthView, PinView, ServerView } from "./views/server-view.ts"
export type { SessionView } from "./views/session-view.ts"
export type { SetupFileView, SetupServerView, SetupView, UndoneView } from "./views/setup-view.ts"
