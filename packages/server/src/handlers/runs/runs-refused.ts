import { type StateRefusal, toolName } from "@byleave/core"
import type { AgentRuns, AgentRunsRefusal } from "../../agent-runs.ts"
import { notFound, type RefusedRequest, refuse } from "../../refused.ts"
import type { ApiService } from "../../service.ts"

type Sentence<Code extends OwnCode> = (refusal: Extract<AgentRunsRefusal, { readonly code: Code }>) => string

type OwnCode = Exclude<AgentRunsRefusal, StateRefusal>["code"]

const sentences: { readonly [Code in OwnCode]: Sentence<Code> } = {
  "run-not-found": () => notFound().detail,
  "run-not-owned": () => "Another process has this run. Nothing was changed; try again.",
  "run-under-way": () => "The run is at work. Wait until it pauses or ends, then try again.",
  "run-ended": ({ status }) => `The run is ${status}, so it does not go on. Start another one.`,
  "run-changed": () => "The run went on in the meantime. Nothing was changed; look at it again.",
  "state-used": () => "This state was imported before. Each goes on once.",
  "run-has-nothing-to-do": ({ status }) =>
    status === "failed"
      ? "The run failed for good. Send it a message to go on."
      : "The run is over. Send it a message to go on.",
  "run-has-no-requirement": () => "The run waits for nothing. Nothing was changed.",
  "run-waits": () => "The run still waits for answers. Give them first; it then goes on by itself.",
  "no-model": ({ detail }) => detail,
  "too-many-runs": ({ detail }) => `${detail} Cancel or answer some, or raise the limit.`,
  "run-too-large": ({ detail }) => detail,
}

/** A refusal of the service that carries runs out, as a problem that says what to do. */
export function runsRefused(refusal: AgentRunsRefusal): RefusedRequest {
  if (refusal.code === "run-not-found") return notFound()
  if (isOfState(refusal)) return refuse(refusal.code, refusal.detail)
  const sentence = sentences[refusal.code] as (of: AgentRunsRefusal) => string
  const problems =
    refusal.code === "run-waits"
      ? refusal.missing.map(({ approval, toolCall, tool }) => `${approval ?? toolCall}: ${toolName(tool)} waits.`)
      : undefined
  return refuse(refusal.code, sentence(refusal), problems)
}

function isOfState(refusal: AgentRunsRefusal): refusal is StateRefusal {
  return refusal.code.startsWith("state-") && "detail" in refusal
}

/** The service that carries runs out here, or a refusal. */
export function runsOf({ agentRuns }: ApiService): AgentRuns | RefusedRequest {
  return agentRuns ?? refuse("unavailable", "This service carries out no agent runs.")
}
