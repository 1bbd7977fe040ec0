import { describeRule, type Rule, ruleText } from "@byleave/core"
import type { ApiService } from "../service.ts"

type RuleWriter = Pick<ApiService, "configText" | "redactor">

/** A suggested rule as an entry of the file and in words; null where it spells out a secret, which is not to be copied about. */
export function shownRule(
  { configText, redactor }: RuleWriter,
  rule: Rule,
): { readonly rule: string; readonly words: string } | null {
  const written = configText?.written(rule) ?? ruleText(rule)
  return redactor.redactText(written) === written ? { rule: written, words: describeRule(rule) } : null
}

/** Rules as entries of the file, without those that spell out a secret. */
export function writtenRules(service: RuleWriter, rules: readonly Rule[]): readonly string[] {
  return rules.flatMap((one) => shownRule(service, one)?.rule ?? [])
}
