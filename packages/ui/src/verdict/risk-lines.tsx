import type { ApprovalView } from "@byleave/api"
import { TriangleAlert } from "lucide-react"
import type { ReactNode } from "react"
import { Sentence } from "../card/arguments/shown-value.tsx"
import look from "./risk-lines.module.css"

/** Warnings about one call of several, a line each. */
export function RiskLines({ risks }: Pick<ApprovalView, "risks">): ReactNode {
  if (risks.length === 0) return null
  return (
    <ul className={look.risks}>
      {risks.map((risk, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two risks may read alike
        <li key={at}>
          <TriangleAlert aria-hidden="true" />
          <span>
            <Sentence text={risk.sentence} />
          </span>
        </li>
      ))}
    </ul>
  )
}
