import type { JsonValue, TokenUsage } from "@byleave/core"
import type { LegPart } from "../loop/leg-ports.ts"
import { wordsOf } from "./story.ts"

/** A part of a leg under way, as it is told, independent of the library that makes it. */
export type ToldPart =
  | { readonly type: "step-started" }
  | { readonly type: "text" | "reasoning"; readonly id: string; readonly delta: string }
  | { readonly type: "tool-call"; readonly toolCall: string; readonly name: string; readonly args: JsonValue }
  | { readonly type: "tool-asked"; readonly toolCall: string; readonly why: string }
  | { readonly type: "tool-result" | "tool-error"; readonly toolCall: string; readonly text: string }
  /** Told again once the model hears of it, then without a reason. */
  | { readonly type: "tool-denied"; readonly toolCall: string; readonly reason: string }
  | { readonly type: "step-ended"; readonly usage: TokenUsage }

/** Null: nothing that anybody outside needs. */
export function toldPart(part: LegPart): ToldPart | null {
  switch (part.type) {
    case "start-step":
      return { type: "step-started" }
    case "text-delta":
      return { type: "text", id: part.id, delta: short(part.text) }
    case "reasoning-delta":
      return { type: "reasoning", id: part.id, delta: short(part.text) }
    case "tool-call":
      return { type: "tool-call", toolCall: part.toolCallId, name: part.toolName, args: asJson(part.input) }
    case "tool-approval-request":
      if (part.isAutomatic === true) return null
      return { type: "tool-asked", toolCall: part.toolCall.toolCallId, why: part.reason ?? "" }
    case "tool-approval-response":
      return part.approved
        ? null
        : { type: "tool-denied", toolCall: part.toolCall.toolCallId, reason: part.reason ?? "" }
    case "tool-output-denied":
      return { type: "tool-denied", toolCall: part.toolCallId, reason: "" }
    case "tool-result":
      return { type: "tool-result", toolCall: part.toolCallId, text: short(outputText(part.output)) }
    case "tool-error":
      return { type: "tool-error", toolCall: part.toolCallId, text: short(errorText(part.error)) }
    case "finish-step": {
      const { inputTokens: input = 0, outputTokens: output = 0 } = part.usage
      return { type: "step-ended", usage: { input, output, total: input + output } }
    }
    default:
      return null
  }
}

const mostTold = 20_000

function short(text: string): string {
  return text.length > mostTold ? `${text.slice(0, mostTold)}…` : text
}

/** Tools of servers give what models are told; functions of the host give anything. */
function outputText(output: unknown): string {
  if (typeof output === "object" && output !== null && "type" in output && "value" in output) {
    return wordsOf(output as Parameters<typeof wordsOf>[0])
  }
  return typeof output === "string" ? output : (JSON.stringify(output) ?? "")
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Long ones as the beginning of their text. */
function asJson(input: unknown): JsonValue {
  const text = JSON.stringify(input ?? null)
  return text.length > mostTold ? short(text) : ((input ?? null) as JsonValue)
}
