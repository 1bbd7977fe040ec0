import type { PolicyView } from "@byleave/api"
import { countOf, Exact, Sheet, ShownText } from "@byleave/ui"
import type { ReactNode } from "react"
import { useRead } from "../../data/use-read.ts"
import { RuleRow } from "../permissions/rule-row.tsx"
import look from "./template-rules.module.css"

/** The rules in effect that templates bring along: for reading, since they are not in this file. */
export function TemplateRules(): ReactNode {
  const read = useRead("getPolicy")
  const groups = read.state === "ready" ? rulesByTemplate(read.value.rules) : []
  if (groups.length === 0) return null
  return (
    <Sheet title="Rules from templates">
      <p className={look.lead}>
        These apply together with the rules above; the strictest answer wins. To change them, edit <code>use</code>.
      </p>
      {groups.map(({ template, rules }) => (
        <details key={template} className={look.group}>
          <summary>
            <span className={look.name}>
              <Exact>
                <ShownText text={template} />
              </Exact>
            </span>
            <span className={look.count}>{countOf(rules.length, "rule")}</span>
          </summary>
          <ul>
            {rules.map((rule) => (
              <RuleRow key={rule.id} rule={rule} saysWhere={false} />
            ))}
          </ul>
        </details>
      ))}
    </Sheet>
  )
}

type Rule = PolicyView["rules"][number]
type TemplateGroup = { readonly template: string; readonly rules: readonly Rule[] }

/** In the order in which the configuration uses them. */
function rulesByTemplate(rules: readonly Rule[]): readonly TemplateGroup[] {
  const names = [...new Set(rules.flatMap(({ template }) => template ?? []))]
  return names.map((template) => ({ template, rules: rules.filter((rule) => rule.template === template) }))
}
