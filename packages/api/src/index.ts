export type { Answered, AnsweredAll, ImportedGrants, NewLink, NewToken, SignedIn } from "./answers.ts"
export { ApiError } from "./api-error.ts"
export type { InboxState } from "./apply-event.ts"
export { applyEvent, emptyInbox } from "./apply-event.ts"
export type { ClientOptions, Reply } from "./ask-service.ts"
export type { GrantsFile, PublicJwk, VerdictBody } from "./bodies.ts"
export { grantsFile, publicJwk } from "./bodies.ts"
export type { AnswerOf, Client, InputOf } from "./create-client.ts"
export { createClient } from "./create-client.ts"
export type { DeviceKey, ProofInput } from "./dpop-proof.ts"
export { bodyHash, deviceKeyFrom, newDeviceKey, signProof } from "./dpop-proof.ts"
export type { FileChange, TextEdit } from "./file-change.ts"
export { fileChanges, pathNames } from "./file-change.ts"
export type { FollowOptions } from "./follow-events.ts"
export { followEvents } from "./follow-events.ts"
export { gatePaths, gateProtocol } from "./gate-paths.ts"
export type { FetchTransportOptions, GateTransport } from "./gate-transport.ts"
export { fetchTransport, lineReader } from "./gate-transport.ts"
export type { JudgeAnswer, ResumeBody, SettleBody, SubmitBody, SubmitLine, ToolsAnswer } from "./gate-wire.ts"
export {
  cancelBody,
  endBody,
  judgeBody,
  mostBodyBytes,
  resumeBody,
  seenBody,
  settleBody,
  submitBody,
  toolsBody,
} from "./gate-wire.ts"
export { openApiDocument } from "./openapi-document.ts"
export type { Problem, ProblemCode } from "./problem.ts"
export { problem, problemCodes } from "./problem.ts"
export type { RemoteGateOptions } from "./remote-gate.ts"
export { createRemoteGate } from "./remote-gate.ts"
export type { Credential, Route } from "./route.ts"
export type { RouteName, Routes } from "./routes.ts"
export { routes } from "./routes.ts"
export type { SeenClient } from "./tell-seen.ts"
export { tellSeen } from "./tell-seen.ts"
export type { ApprovalView } from "./views/approval-view.ts"
export type { AuditRecordView, AuditReportView } from "./views/audit-view.ts"
export type { CallView, CurrentContentView, InsightView, StoryView } from "./views/call-view.ts"
export type { DeviceView, HelloView, MeView, ReviewerView, TokenView } from "./views/credential-views.ts"
export type { EventView } from "./views/event-view.ts"
export type { GrantView } from "./views/grant-view.ts"
export type { PolicyPreviewView, PolicyTextView, SuggestionView, TextProblem } from "./views/policy-text-view.ts"
export type { ExplanationView, PolicyView } from "./views/policy-view.ts"
export type { HealthView, PinView, ServerView } from "./views/server-view.ts"
export type { SessionView } from "./views/session-view.ts"
