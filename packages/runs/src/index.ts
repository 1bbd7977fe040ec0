export type { LanguageModelV4 } from "@ai-sdk/provider"
export type { OpenModelOptions } from "./models/open-model.ts"
export { openModel } from "./models/open-model.ts"
