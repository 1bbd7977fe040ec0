import { TriangleAlert } from "lucide-react"
import { type ReactNode, useId } from "react"
import type { RiskView } from "./arg-tree.ts"
import { riskReasons } from "./risk-reasons.ts"
import look from "./risks.module.css"
import { Sentence } from "./shown-value.tsx"

/** What to look at twice, with a reason each. */
export function Risks({ risks }: { readonly risks: readonly RiskView[] }): ReactNode {
  const titleId = useId()
  if (risks.length === 0) return null
  return (
    <section className={look.risks} aria-labelledby={titleId}>
      <TriangleAlert aria-hidden="true" />
      <div>
        <h3 id={titleId}>Check before allowing</h3>
        <ul className={look.list}>
          {risks.map((risk, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two risks may read alike
            <li key={at}>
              <Sentence text={risk.sentence} /> <span className={look.reason}>{riskReasons[risk.kind]}</span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
