/**
 * The models of a configuration, and which of them hold before a person has said yes.
 *
 * A model sees all that a run sees, and gets a key: one that is new, or reached otherwise than was accepted, is not used until somebody
 * has said yes. One that is gone is gone at once.
 */
import { canonicalJson, type Hasher, type JsonObject, type ModelConfig, wholeName } from "@byleave/core"
import type { ModelSettings } from "@byleave/formats"
import { urlWords, valueWords } from "../gateway/server-start.ts"

/** A model and the digest of how it is reached. After a restart only the digest of what was accepted is known. */
export type KnownModel = {
  readonly name: string
  /** Empty: it could not be used when it was read. */
  readonly start: string
  /** Null: it cannot be used. */
  readonly config: ModelConfig | null
  /** How it is reached, for people; empty where only the digest is known. */
  readonly words: string
  readonly secrets?: readonly string[]
}

export function knownModel(settings: ModelSettings, digestKey: string, hasher: Hasher): KnownModel {
  const { name, config, secrets } = settings
  if (config === null) return { name, start: "", config, words: "" }
  const start = hasher.hmacSha256(digestKey, canonicalJson(howReached(config, settings.script)))
  return { name, start, config, words: modelWords(settings, config), secrets }
}

/** A script in a file counts by its place: what is in it may change like any text that a model would say. */
function howReached(config: ModelConfig, script: string | undefined): JsonObject {
  // Whether it takes pictures says nothing of where it is.
  const { name: _name, images: _images, ...how } = config as typeof config & { readonly images?: boolean }
  return (script === undefined ? { model: how } : { model: { provider: config.provider, script } }) as JsonObject
}

function modelWords({ written, script }: ModelSettings, config: ModelConfig): string {
  if (config.provider === "scripted") {
    return `scripted, by ${script === undefined ? `steps in the file (${config.steps.length})` : wholeName(script)}`
  }
  const shown = written !== undefined && written.provider !== "scripted" ? written : config
  const where = config.url === null ? "its own address" : urlWords(config.url, shown.url ?? "")
  const key = config.key === null ? [] : [valueWords("key", shown.key ?? "", config.key)]
  const headers = Object.entries(config.headers).map(([name, value]) => {
    return valueWords(name, shown.headers[name] ?? value, value)
  })
  const given = [...key, ...headers]
  const withWords = given.length === 0 ? "" : ` (with ${given.join(", ")})`
  return `${wholeName(shown.model)} of ${config.provider} at ${where}${withWords}`
}

export type ModelChanges = {
  /** The models that may be used at once. */
  readonly kept: readonly KnownModel[]
  /** The new ones as they hold once somebody has accepted them. */
  readonly settled: readonly KnownModel[]
  readonly tightens: readonly string[]
  readonly widens: readonly string[]
}

export function changedModels(before: readonly KnownModel[], after: readonly KnownModel[]): ModelChanges {
  const old = new Map(before.map((model) => [model.name, model]))
  return {
    kept: modelsAsBefore(before, after),
    settled: after.map((model) => asAccepted(model, old.get(model.name))),
    tightens: before
      .filter(({ name }) => !after.some((model) => model.name === name))
      .map(({ name }) => `Model ${wholeName(name)} was removed.`),
    widens: [...after.flatMap((model) => startSentence(model, old.get(model.name))), ...defaultSentence(before, after)],
  }
}

/** Each model as it was accepted, without those that are gone. */
export function modelsAsBefore(before: readonly KnownModel[], after: readonly KnownModel[]): readonly KnownModel[] {
  const next = new Map(after.map((model) => [model.name, model]))
  return before.flatMap((model) => {
    const found = next.get(model.name)
    if (found === undefined) return []
    return found.start === model.start || found.config === null ? [asAccepted(found, model)] : [model]
  })
}

/** A model that cannot be used for now counts as unchanged: it need not be accepted again when it can. */
function asAccepted(model: KnownModel, old: KnownModel | undefined): KnownModel {
  return model.config === null ? { ...model, start: old?.start ?? "" } : model
}

function startSentence({ name, start, config, words }: KnownModel, old: KnownModel | undefined): readonly string[] {
  if (config === null || old?.start === start) return []
  if (old === undefined || old.start === "") return [`Model ${wholeName(name)} was added: ${words}.`]
  const was = old.words === "" ? "unlike the accepted version" : `previously ${old.words}`
  return [`Model ${wholeName(name)} is now ${words}, ${was}.`]
}

/** Requests that name no model get the first. */
function defaultSentence(before: readonly KnownModel[], after: readonly KnownModel[]): readonly string[] {
  const was = before.find(({ name }) => after.some((model) => model.name === name))
  const is = after[0]
  return was === undefined || is === undefined || was.name === is.name
    ? []
    : [`The default model is now ${wholeName(is.name)}, previously ${wholeName(was.name)}.`]
}
