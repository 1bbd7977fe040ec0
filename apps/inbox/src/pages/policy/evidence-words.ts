import type { SuggestionView } from "@byleave/api"

/** What a suggestion rests on: `7 answers: all allowed`. */
export function evidenceWords({ approved, denied }: Pick<SuggestionView, "approved" | "denied">): string {
  const all = approved + denied
  const answers = all === 1 ? "1 decision" : `${all} decisions`
  if (denied === 0) return `${answers}: ${all === 1 ? "allowed" : "all allowed"}`
  if (approved === 0) return `${answers}: ${all === 1 ? "denied" : "all denied"}`
  return `${answers}: ${approved} allowed, ${denied} denied`
}
