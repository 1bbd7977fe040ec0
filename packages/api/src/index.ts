export type { GrantsFile, PublicJwk, VerdictBody } from "./bodies.ts"
export { grantsFile, publicJwk } from "./bodies.ts"
export type { InboxState } from "./client/apply-event.ts"
export { applyEvent, emptyInbox } from "./client/apply-event.ts"
export type { AnswerOf, Client, InputOf } from "./client/create-client.ts"
export { createClient } from "./client/create-client.ts"
export type { DeviceKey } from "./client/dpop-proof.ts"
export { bodyHash, deviceKeyFrom, newDeviceKey, signProof } from "./client/dpop-proof.ts"
export { followEvents } from "./client/follow-events.ts"
export type { ServiceReply } from "./gate/ask-service.ts"
export { attendSession } from "./gate/attend-session.ts"
export { gatePaths, gateProtocol } from "./gate/gate-paths.ts"
export type { GateTransport } from "./gate/gate-transport.ts"
export { fetchTransport, lineReader } from "./gate/gate-transport.ts"
export type {
  InstructionsAnswer,
  OfferedAnswer,
  ResumeBody,
  SubmitBody,
  SubmitLine,
  ToolsAnswer,
} from "./gate/gate-wire.ts"
export {
  attendBody,
  cancelBody,
  clientAnswerBody,
  endBody,
  instructionsBody,
  judgeBody,
  mostBodyBytes,
  resumeBody,
  seenBody,
  settleBody,
  submitBody,
  toolsBody,
} from "./gate/gate-wire.ts"
export { createRemoteGate } from "./gate/remote-gate.ts"
export { tellSeen } from "./gate/tell-seen.ts"
export { openApiDocument } from "./openapi-document.ts"
export type { Problem, ProblemCode } from "./problem.ts"
export type { Route } from "./route.ts"
export type { RouteName, Routes } from "./routes.ts"
export { routes } from "./routes.ts"
export { asShown } from "./show/as-shown.ts"
export type { FileChange, TextEdit } from "./show/file-change.ts"
export { contentNames, fileChanges, pathNames } from "./show/file-change.ts"
export { foreseen } from "./show/foreseen.ts"
export type { Masked } from "./show/masking.ts"
export { maskValue } from "./show/masking.ts"
export type { RiskLevel } from "./show/risk-level.ts"
export { byRisk, riskLevelOf } from "./show/risk-level.ts"
export { connectionWords, shortSessionName } from "./show/session-name.ts"
export type { Answered, AnsweredAll, ImportedGrants, NewLink, NewToken, SignedIn } from "./verdict/answers.ts"
export type { ShownGrant, ShownSession } from "./verdict/bind-act.ts"
export {
  definitionsDigest,
  grantAsShown,
  grantsDigest,
  sessionAsShown,
  sessionDigest,
  shownDefinitionsText,
  shownGrantsText,
  shownSessionText,
} from "./verdict/bind-act.ts"
export { shownUndoText, undoDigest } from "./verdict/bind-undo.ts"
export type { ShownCall, UnboundVerdict } from "./verdict/bind-verdict.ts"
export {
  bindVerdict,
  shownArguments,
  shownDigest,
  shownExtraParams,
  shownText,
  verdictText,
} from "./verdict/bind-verdict.ts"
export type { ApprovalSummaryView, ApprovalView } from "./views/approval-view.ts"
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
export type { PolicyPreviewView, PolicyTextView, SuggestionView, TextProblem } from "./views/policy-text-view.ts"
export type { ExplanationView, PolicyView } from "./views/policy-view.ts"
export type { HealthView, PinView, ServerView } from "./views/server-view.ts"
export type { SessionView } from "./views/session-view.ts"
