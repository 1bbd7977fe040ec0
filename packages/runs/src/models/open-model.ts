import type { LanguageModelV4 } from "@ai-sdk/provider"
import { assertNever, type HttpModelConfig, type ModelConfig } from "@byleave/core"
import { defaultModelLimits, type ModelLimits } from "../run-limits.ts"
import { boundedFetch } from "./bounded-fetch.ts"
import { createReadPace, type ReadPace } from "./read-pace.ts"
import { createScriptedModel } from "./scripted-model.ts"
import { withWholeAnswers } from "./whole-answers.ts"

export type OpenModelOptions = {
  readonly fetch?: typeof fetch
  readonly limits?: Partial<ModelLimits>
  /** Shared by all models of a process; absent: of this one alone. */
  readonly pace?: ReadPace
  /** Waits between the words of a scripted model; without it they come at once. */
  readonly pause?: () => Promise<void>
}

// Named here, because the provider packages would otherwise take an address from the environment.
const ownAddress = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
} as const

/** Opens a configured model. The package of its provider is loaded when it is first used. */
export async function openModel(config: ModelConfig, options: OpenModelOptions = {}): Promise<LanguageModelV4> {
  return config.provider === "scripted"
    ? createScriptedModel(config, options)
    : withWholeAnswers(await openHttpModel(config, options))
}

async function openHttpModel(config: HttpModelConfig, options: OpenModelOptions): Promise<LanguageModelV4> {
  switch (config.provider) {
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai")
      // Chat completions keep nothing at the provider, so a run can go on from its journal after any time.
      return createOpenAI(settingsOf(config, ownAddress.openai, options)).chat(config.model)
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic")
      return createAnthropic(settingsOf(config, ownAddress.anthropic, options)).languageModel(config.model)
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google")
      // Arguments come as objects here, not as text: as many as a call may have.
      const limits = { eventObjects: 50_000, ...options.limits }
      return createGoogle(settingsOf(config, ownAddress.google, { ...options, limits })).languageModel(config.model)
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
      if (config.url === null) throw new TypeError(`The model "${config.name}" has no url.`)
      const { apiKey, ...settings } = settingsOf(config, config.url, options)
      const named = { ...settings, name: "openai-compatible", includeUsage: true }
      return createOpenAICompatible(apiKey === "" ? named : { ...named, apiKey }).languageModel(config.model)
    }
    default:
      return assertNever(config.provider)
  }
}

function settingsOf(config: HttpModelConfig, ownUrl: string, options: OpenModelOptions) {
  const limits = { ...defaultModelLimits, ...options.limits }
  return {
    baseURL: config.url ?? ownUrl,
    // Without a key the packages would look for one in the environment, where no redactor knows of it.
    apiKey: config.key ?? "",
    headers: { ...config.headers },
    fetch: boundedFetch(
      options.fetch ?? ((input, init) => fetch(input, init)),
      limits,
      options.pace ?? createReadPace(),
    ),
  }
}
