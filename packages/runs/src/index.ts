export type { LanguageModelV4 } from "@ai-sdk/provider"
export type {
  BroughtRun,
  RunInput,
  RunOrder,
  Runs,
  RunsAnswer,
  RunsOptions,
  RunsRefusal,
  Waiting,
} from "./create-runs.ts"
export { createRuns } from "./create-runs.ts"
export { answerAgUi } from "./front/ag-ui.ts"
export type { ConveyedWord, FrontCaller, FrontPorts, RunWish, WishedOrder } from "./front/front-ports.ts"
export { answerUiChat, reopenUiChat } from "./front/ui-chat.ts"
export type { UiStreamOptions } from "./front/ui-message-stream.ts"
export { uiMessageStream } from "./front/ui-message-stream.ts"
export type { RequirementDecision } from "./front/ui-messages.ts"
export { decisionsIn, uiMessagesOf } from "./front/ui-messages.ts"
export type { HostTool, HostToolsOptions, NamedHostTools } from "./host-tools.ts"
export { withHostTools } from "./host-tools.ts"
export { allLines, readJournal } from "./journal/journal.ts"
export type { AgentResponse, AgentResponseParts } from "./library/agent-response.ts"
export { agentResponse } from "./library/agent-response.ts"
export type { Agent, AgentAnswer, AgentOptions, RunStates } from "./library/create-agent.ts"
export { createAgent } from "./library/create-agent.ts"
export type { RequirementChoice } from "./library/decisions.ts"
export { decisionsOfLatest, readDecisions } from "./library/decisions.ts"
export type {
  ContinueInput,
  ContinueRefusal,
  OpenRun,
  OpenRunPorts,
  RequirementAnswered,
  RunContinued,
  RunRequirement,
} from "./library/open-run.ts"
export { openRun } from "./library/open-run.ts"
export type { RunNews } from "./live-parts.ts"
export { modelOutput } from "./loop/outcome-words.ts"
export type { LegPart, LegSettings } from "./loop/run-leg.ts"
export type { ModelFailure } from "./models/model-failure.ts"
export { modelFailure } from "./models/model-failure.ts"
export type { OpenModelOptions } from "./models/open-model.ts"
export { openModel } from "./models/open-model.ts"
export type { ExchangeAnswer, ExchangeRecorder } from "./recording/record-exchange.ts"
export { createExchangeRecorder, openApprovals, replayExchange } from "./recording/record-exchange.ts"
export type { RecordPorts, RunRecorded } from "./recording/record-run.ts"
export { recordRun } from "./recording/record-run.ts"
export { recordedPolicy } from "./recording/recorded-policy.ts"
export type { RecordedKind, RecordedLeg, Recording, RecordingRead } from "./recording/recording.ts"
export { readRecording } from "./recording/recording.ts"
export type { ReplayPorts, ReplayReport } from "./recording/replay-run.ts"
export { replayRun } from "./recording/replay-run.ts"
export type { ModelTimeouts, RunLimits } from "./run-limits.ts"
export { defaultModelTimeouts, defaultRunLimits } from "./run-limits.ts"
export { type ToldPart, toldPart } from "./story/told-part.ts"
export type { OfferedTool, OfferedTools, ToolSource } from "./tools.ts"
