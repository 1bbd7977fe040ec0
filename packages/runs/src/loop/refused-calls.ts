/** Calls of a model that are not taken as it made them: what is kept of one has no arguments, and says why it is refused. */
import type { LanguageModelV4ToolCall } from "@ai-sdk/provider"
import { asObject, type JsonValue, objectAt, textAt } from "@byleave/core"

/** The mark is in the part, so it is in the journal and in recordings, and a leg that is played again refuses the same calls. */
export function asRefused(call: LanguageModelV4ToolCall, reason: string): LanguageModelV4ToolCall {
  return { ...call, input: "{}", providerMetadata: { ...call.providerMetadata, byleave: { refused: reason } } }
}

/** Why a call is refused, or undefined. Checked before any call is carried out. */
export function refusalOf({ providerMetadata }: { readonly providerMetadata?: unknown }): string | undefined {
  return textAt(objectAt(asObject(providerMetadata as JsonValue | undefined), "byleave"), "refused")
}
