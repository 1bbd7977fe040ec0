import { describeRule, type Rule, ruleText } from "@byleave/core"
import type { ApiService } from "../service.ts"

/** A suggested rule as an entry of the file and in words; null where it spells out a secret, which is not to be copied about. */
export function shownRule(
  { configText, redactor }: Pick<ApiService, "configText" | "redactor">,
  rule: Rule,
): { readonly rule: string; readonly words: string } | null {
  const written = configText?.written(rule) ?? ruleText(rule)
  return redactor.redactText(written) === written ? { rule: written, words: describeRule(rule) } : null
}
