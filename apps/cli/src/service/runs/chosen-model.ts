import type { ModelConfig } from "@byleave/core"
import type { KnownModel } from "../config/known-models.ts"

export type ChosenModel =
  | { readonly ok: true; readonly config: ModelConfig }
  | { readonly ok: false; readonly why: string }

/** The model of that name, or the first; or why it cannot be used and what to do. */
export function chosenModel(models: readonly KnownModel[], name: string | undefined): ChosenModel {
  const found = name === undefined ? models[0] : models.find((model) => model.name === name)
  if (found !== undefined && found.config !== null) return { ok: true, config: found.config }
  return { ok: false, why: found === undefined ? missingWords(models, name) : unusableWords(found.name) }
}

/** Why a run cannot begin with the model of that name, or the first; null: it can. */
export function refusedModel(
  models: readonly KnownModel[],
  name: string | undefined,
): { readonly ok: false; readonly refusal: { readonly code: "no-model"; readonly detail: string } } | null {
  const model = chosenModel(models, name)
  return model.ok ? null : { ok: false, refusal: { code: "no-model", detail: model.why } }
}

function missingWords(models: readonly KnownModel[], name: string | undefined): string {
  if (name === undefined) return noModel
  const names = models.map((model) => model.name)
  return names.length === 0
    ? `There is no model called ${name}. ${noModel}`
    : `There is no model called ${name}. There are: ${names.join(", ")}. A new one may be waiting for approval in the inbox.`
}

function unusableWords(name: string): string {
  return `The model ${name} cannot be used now: something its configuration needs is missing, such as the environment variable with its key. Check it with byleave policy check, and start the service with it set.`
}

const noModel =
  "No model is configured. Add one under models: in byleave.yaml; byleave doctor shows model servers found on this machine."
