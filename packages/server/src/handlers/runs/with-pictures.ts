import type { AgentRuns, RunMessage } from "../../agent-runs.ts"
import { type RefusedRequest, refuse } from "../../refused.ts"

/** A refusal where messages hold pictures and the model takes none. `model`: null where the default is meant. */
export function unlessTaken(
  runs: AgentRuns,
  model: string | null,
  messages: readonly RunMessage[],
): RefusedRequest | null {
  const hasPicture = messages.some(({ content }) => typeof content !== "string" && content.some(isPicture))
  if (!hasPicture) return null
  const models = runs.models()
  const chosen = model === null ? models[0] : models.find(({ name }) => name === model)
  if (chosen === undefined || chosen.images) return null
  return refuse("bad-request", `The model ${chosen.name} takes no pictures. Choose another one, or leave them out.`)
}

function isPicture({ type }: { readonly type: string }): boolean {
  return type === "file"
}
