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
export { allLines, readJournal } from "./journal/journal.ts"
export type { RunNews } from "./live-parts.ts"
export { modelOutput } from "./loop/outcome-words.ts"
export type { LegPart } from "./loop/run-leg.ts"
export type { ModelFailure } from "./models/model-failure.ts"
export { modelFailure } from "./models/model-failure.ts"
export type { OpenModelOptions } from "./models/open-model.ts"
export { openModel } from "./models/open-model.ts"
export type { RunLimits } from "./run-limits.ts"
export { defaultRunLimits } from "./run-limits.ts"
export type { OfferedTool, ToolListing, ToolSource } from "./tools.ts"
