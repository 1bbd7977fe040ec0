export type { Answered, AnsweredAll, ImportedGrants, NewLink, NewToken, SignedIn } from "./answers.ts"
export { ApiError } from "./api-error.ts"
export type { InboxState } from "./apply-event.ts"
export { applyEvent, emptyInbox } from "./apply-event.ts"
export { asShown } from "./as-shown.ts"
export type { ClientOptions, Reply } from "./ask-service.ts"
export { attendSession } from "./attend-session.ts"
export type { ShownDefinitions, ShownGrant, ShownSession } from "./bind-act.ts"
export {
  definitionsDigest,
  grantAsShown,
  grantsDigest,
  sessionAsShown,
  sessionDigest,
  shownDefinitionsText,
  shownGrantsText,
  shownSessionText,
} from "./bind-act.ts"
export type { ShownUndo } from "./bind-undo.ts"
export { shownUndoText, undoDigest } from "./bind-undo.ts"
export type { ShownCall, UnboundVerdict } from "./bind-verdict.ts"
export { bindVerdict, shownArguments, shownDigest, shownExtraParams, shownText, verdictText } from "./bind-verdict.ts"
export type { GrantsFile, PublicJwk, VerdictBody } from "./bodies.ts"
export { grantsFile, publicJwk } from "./bodies.ts"
export type { AnswerOf, Client, InputOf } from "./create-client.ts"
export { createClient } from "./create-client.ts"
export type { DeviceKey, ProofInput } from "./dpop-proof.ts"
export { bodyHash, deviceKeyFrom, newDeviceKey, signProof } from "./dpop-proof.ts"
export type { FileChange, TextEdit } from "./file-change.ts"
export { contentNames, fileChanges, pathNames } from "./file-change.ts"
export type { FollowOptions } from "./follow-events.ts"
export { followEvents } from "./follow-events.ts"
export type { Foreseen } from "./foreseen.ts"
export { foreseen } from "./foreseen.ts"
export { gatePaths, gateProtocol } from "./gate-paths.ts"
export type { FetchTransportOptions, GateTransport } from "./gate-transport.ts"
export { fetchTransport, lineReader } from "./gate-transport.ts"
export type {
  InstructionsAnswer,
  JudgeAnswer,
  OfferedAnswer,
  ResumeBody,
  SettleBody,
  SubmitBody,
  SubmitLine,
  ToolsAnswer,
} from "./gate-wire.ts"
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
} from "./gate-wire.ts"
export type { Masked } from "./masking.ts"
export { maskValue } from "./masking.ts"
export { openApiDocument } from "./openapi-document.ts"
export type { Problem, ProblemCode } from "./problem.ts"
export { problem, problemCodes } from "./problem.ts"
export type { RemoteGateOptions } from "./remote-gate.ts"
export { createRemoteGate } from "./remote-gate.ts"
export type { RiskLevel } from "./risk-level.ts"
export { byRisk, riskLevelOf } from "./risk-level.ts"
export type { Credential, Route } from "./route.ts"
export type { RouteName, Routes } from "./routes.ts"
export { routes } from "./routes.ts"
export { connectionWords, sessionName, shortSessionName, tokenName } from "./session-name.ts"
export type { SeenClient } from "./tell-seen.ts"
export { tellSeen } from "./tell-seen.ts"
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
