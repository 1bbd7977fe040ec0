import type { JsonObject } from "../call/json/json.ts"

export const modelProviders = ["openai", "anthropic", "google", "openai-compatible", "scripted"] as const
export type ModelProvider = (typeof modelProviders)[number]

/** A model behind HTTP. Keys and headers are secrets: neither is ever stored, recorded or shown. */
export type HttpModelConfig = {
  readonly name: string
  readonly provider: Exclude<ModelProvider, "scripted">
  /** Where its API begins; null: the provider's own address. */
  readonly url: string | null
  /** The provider's name of the model. */
  readonly model: string
  readonly key: string | null
  readonly headers: Readonly<Record<string, string>>
  /** Whether messages to it may hold pictures. Absent: as its provider's models usually do. */
  readonly images?: boolean
}

/** A model that plays steps written down beforehand, for demonstrations and tests. It understands nothing. */
export type ScriptedModelConfig = {
  readonly name: string
  readonly provider: "scripted"
  readonly steps: readonly ScriptedStep[]
}

export type ModelConfig = HttpModelConfig | ScriptedModelConfig

export type ScriptedStep = {
  readonly reasoning?: string
  readonly say?: string
  readonly calls?: readonly ScriptedCall[]
  /** Plays only where the last user message, or a tool result since, contains this text, in any case. */
  readonly when?: string
  /** After what it says, if anything, the answer fails like a request to a provider would. */
  readonly fail?: ScriptedFailure
}

export type ScriptedCall = {
  /** `server(tool)`, or the name the model is told. */
  readonly tool: string
  readonly args: JsonObject
}

export type ScriptedFailure = {
  /** Of HTTP; without one the connection breaks. */
  readonly status?: number
  readonly message: string
  /** In seconds. */
  readonly retryAfter?: number
}
