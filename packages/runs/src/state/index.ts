export { type ExportOptions, type ExportPorts, exportRun, type RunExported } from "./export-run.ts"
export { type ImportOptions, type ImportPorts, importRun, type RunBrought } from "./import-run.ts"
export { type StateFormat, stateKeyFrom } from "./seal-state.ts"
export type { StateRefusal } from "./state-refusal.ts"
