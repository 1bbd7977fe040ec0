import { readStoredJson } from "@byleave/core"
import { type LegPart, refusalOf } from "@byleave/runs"

/** An event of a leg, as far as a response tells it. Live parts and the journal both become these. */
export type LegEvent =
  | { readonly type: "step" }
  | { readonly type: "said"; readonly kind: "text" | "reasoning"; readonly id: string; readonly delta: string }
  | { readonly type: "said-end"; readonly id: string }
  /** `args` is JSON as it will be sent. */
  | { readonly type: "called"; readonly call: string; readonly tool: string; readonly args: string }
  | { readonly type: "ended"; readonly call: string; readonly text: string; readonly isError: boolean }
  | { readonly type: "answered"; readonly usage: StepUsage; readonly finish: string }

export type StepUsage = {
  readonly input: number
  readonly cached: number
  readonly output: number
  readonly reasoning: number
}

/** Reads the live parts of one leg. */
export function createPartReader(): (part: LegPart) => readonly LegEvent[] {
  /** The arguments as the model writes them: AI SDK's own reading loses digits of long numbers. */
  const written = new Map<string, string>()
  const reasons = new Map<string, string>()
  const own = new Set<string>()
  return (part) => {
    switch (part.type) {
      case "start-step":
        return [{ type: "step" }]
      case "text-delta":
      case "reasoning-delta": {
        const kind = part.type === "text-delta" ? "text" : "reasoning"
        return [{ type: "said", kind, id: `${kind} ${part.id}`, delta: part.text }]
      }
      case "text-end":
        return [{ type: "said-end", id: `text ${part.id}` }]
      case "reasoning-end":
        return [{ type: "said-end", id: `reasoning ${part.id}` }]
      case "tool-input-delta":
        written.set(part.id, `${written.get(part.id) ?? ""}${part.delta}`)
        return []
      case "tool-call": {
        // The caller must not carry it out either.
        if (refusalOf(part) !== undefined) return []
        const { toolCallId: call, toolName: tool } = part
        own.add(call)
        return [{ type: "called", call, tool, args: argumentsText(written.get(call) ?? JSON.stringify(part.input)) }]
      }
      case "tool-approval-response":
        if (part.reason !== undefined) reasons.set(part.toolCall.toolCallId, part.reason)
        return []
      case "tool-output-denied":
        // Of an earlier leg's call, a person or the caller said no: the response tells only what the model makes of it.
        if (!own.has(part.toolCallId)) return []
        return [{ type: "ended", call: part.toolCallId, text: reasons.get(part.toolCallId) ?? denied, isError: true }]
      case "tool-result":
        return [{ type: "ended", call: part.toolCallId, text: outputText(part.output), isError: false }]
      case "tool-error": {
        const text = part.error instanceof Error ? part.error.message : String(part.error)
        return [{ type: "ended", call: part.toolCallId, text, isError: true }]
      }
      case "finish-step": {
        const { inputTokens = 0, outputTokens = 0, inputTokenDetails, outputTokenDetails } = part.usage
        const cached = inputTokenDetails?.cacheReadTokens ?? 0
        const reasoning = outputTokenDetails?.reasoningTokens ?? 0
        const usage = { input: inputTokens, cached, output: outputTokens, reasoning }
        return [{ type: "answered", usage, finish: part.finishReason }]
      }
      default:
        return []
    }
  }
}

export const denied = "This call was denied."

/** One spelling for the same arguments, with every digit. */
export function argumentsText(written: string): string {
  const text = written.trim()
  if (text === "") return "{}"
  try {
    return JSON.stringify(readStoredJson(text))
  } catch {
    return text
  }
}

/** The output of a tool as the model got it, as text. */
export function outputText(output: unknown): string {
  if (typeof output === "string") return output
  if (typeof output !== "object" || output === null) return String(output)
  if ("value" in output && typeof output.value === "string") return output.value
  if ("reason" in output && typeof output.reason === "string") return output.reason
  return JSON.stringify("value" in output ? output.value : output)
}
