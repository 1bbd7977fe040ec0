import type { ToolRef } from "../../call/call.ts"
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import type { Risk } from "./risk.ts"

/** Whether Byleave itself asks about its configuration. No server may bear this name, so the words in it are ours. */
export function isPolicyChange({ server, tool }: ToolRef): boolean {
  return server === "byleave" && tool === "change_policy"
}

const mostListed = 20

/** The warnings about a policy change: the calls it lets through, and the servers it starts differently. */
export function policyChangeRisks(args: JsonObject): readonly Risk[] {
  const sentences = [...sentencesAt(args, "widens"), ...sentencesAt(args, "servers")]
  const more = sentences.length - mostListed
  const rest = more > 0 ? [`The same applies to ${more} more changes.`] : []
  return [...sentences.slice(0, mostListed), ...rest].map((sentence) => ({ kind: "widens-policy", key: "", sentence }))
}

function sentencesAt(args: JsonObject, name: string): readonly string[] {
  const list = Object.hasOwn(args, name) ? args[name] : null
  return Array.isArray(list) ? (list as readonly JsonValue[]).filter((item) => typeof item === "string") : []
}
