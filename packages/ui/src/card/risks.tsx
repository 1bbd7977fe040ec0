import { TriangleAlert } from "lucide-react"
import type { ReactNode } from "react"
import type { RiskView } from "./arg-tree.ts"
import { riskReasons } from "./risk-reasons.ts"
import look from "./risks.module.css"
import { Section } from "./section.tsx"
import { Sentence } from "./shown-value.tsx"

/** What to look at twice, with a reason each. */
export function Risks({ risks }: { readonly risks: readonly RiskView[] }): ReactNode {
  if (risks.length === 0) return null
  return (
    <Section title="Look twice">
      <ul className={look.list}>
        {risks.map((risk, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two risks may read alike
          <li key={at} className={look.risk}>
            <TriangleAlert aria-hidden="true" />
            <span>
              <Sentence text={risk.sentence} />
              <span className={look.reason}>{riskReasons[risk.kind]}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
