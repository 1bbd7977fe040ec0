/** What to look at twice where Byleave itself asks about its configuration: its own sentences, not signs in them. */
import type { ApprovalView } from "@byleave/api"
import type { Approval, JsonObject, JsonValue, Risk } from "@byleave/core"

type RiskView = ApprovalView["risks"][number]

/** No server may bear this name, so the words in it are ours. */
export function isPolicyChange({ tool }: Pick<Approval, "tool">): boolean {
  return tool.server === "byleave" && tool.tool === "change_policy"
}

const mostListed = 20

/** What a yes lets through, and which servers it starts otherwise. */
export function wideningIn(args: JsonObject): readonly RiskView[] {
  const sentences = [...sentencesAt(args, "widens"), ...sentencesAt(args, "servers")]
  const more = sentences.length - mostListed
  const rest = more > 0 ? [`The same goes for ${more} more changes.`] : []
  return [...sentences.slice(0, mostListed), ...rest].map((sentence) => ({ kind: "widens-policy", key: "", sentence }))
}

/** Nothing of it reaches a shell: a sentence has its own use for a semicolon. */
export function withoutShellSigns(risks: readonly Risk[]): readonly Risk[] {
  return risks.filter(({ kind }) => kind !== "shell-metacharacters")
}

function sentencesAt(args: JsonObject, name: string): readonly string[] {
  const list = Object.hasOwn(args, name) ? args[name] : null
  return Array.isArray(list) ? (list as readonly JsonValue[]).filter((item) => typeof item === "string") : []
}
