import type { RuleLossView } from "@byleave/api"
import type { Tone } from "@byleave/ui"

/** How an entry of a loss report compares with the rule it is about. */
export const lossWords = {
  stricter: { words: "Stricter", tone: "wait" },
  dropped: { words: "Not carried", tone: "plain" },
  "no-effect": { words: "No effect", tone: "plain" },
  weaker: { words: "Weaker", tone: "no" },
} as const satisfies Record<RuleLossView["kind"], { readonly words: string; readonly tone: Tone }>

/** `permissions.allow[2], line 5`. */
export function placeOf({ path, line }: Pick<RuleLossView, "path" | "line">): string {
  return [path, line === null ? "" : `line ${line}`].filter((part) => part !== "").join(", ")
}

/** How many rules an import adds, and what of it does not take effect at once. */
export function importWords(added: number, widens: number): string {
  const rules = added === 1 ? "1 rule is added." : `${added} rules are added.`
  return widens === 0 ? rules : `${rules} What allows more waits for approval; what restricts applies immediately.`
}
