import type { JsonObject } from "@byleave/core"
import type { StepUsage } from "../leg/leg-events.ts"
import { type LegRef, responseId } from "./ids.ts"
import type { OutputItem } from "./items.ts"

export type ResponseStatus = "completed" | "in_progress" | "failed" | "cancelled" | "incomplete"

export type ResponseFacts = {
  readonly at: LegRef
  readonly status: ResponseStatus
  readonly createdAt: number
  readonly completedAt: number | null
  readonly model: string
  readonly echo: JsonObject
  readonly output: readonly OutputItem[]
  readonly usage: StepUsage | null
  readonly problem: string | null
  readonly incomplete: string | null
}

export type ResponseObject = JsonObject & { readonly id: string }

/** A response as OpenAI's API shows it. */
export function responseObject(facts: ResponseFacts): ResponseObject {
  const { status, problem, usage } = facts
  return {
    id: responseId(facts.at),
    object: "response",
    created_at: Math.floor(facts.createdAt / 1000),
    completed_at: facts.completedAt === null ? null : Math.floor(facts.completedAt / 1000),
    status,
    error: problem === null ? null : { code: "server_error", type: "server_error", message: problem, param: null },
    incomplete_details: facts.incomplete === null ? null : { reason: facts.incomplete },
    model: facts.model,
    ...facts.echo,
    output: facts.output as unknown as JsonObject[],
    usage: usage === null ? null : usageObject(usage),
  }
}

function usageObject({ input, cached, output, reasoning }: StepUsage): JsonObject {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}
