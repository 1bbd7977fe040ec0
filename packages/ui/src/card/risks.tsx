import { TriangleAlert } from "lucide-react"
import { type ReactNode, useId, useRef } from "react"
import { noRisked } from "../diff/diff-context.ts"
import type { RiskedLines } from "../diff/risk-places.ts"
import { goToLine } from "../diff/use-change-steps.ts"
import type { RiskView } from "./arguments/arg-tree.ts"
import { Sentence } from "./arguments/shown-value.tsx"
import { riskReasons } from "./risk-reasons.ts"
import look from "./risks.module.css"

/** What to look at twice, with a reason each. */
export function Risks({
  risks,
  risked = noRisked,
  onShowAll,
  headingId,
}: {
  readonly risks: readonly RiskView[]
  /** Lines of the differences below that warnings are about. */
  readonly risked?: RiskedLines
  /** Unfolds what is folded on the card. */
  readonly onShowAll?: () => void
  /** The heading of the call they are about, where several calls are on one page. */
  readonly headingId?: string
}): ReactNode {
  const titleId = useId()
  const place = useRef<HTMLElement>(null)
  const placed = new Set([...risked.values()].flat())
  const goTo = (at: number, isFirstTry = true): void => {
    const card = place.current?.closest("article")
    const line = card?.querySelector<HTMLElement>(`[data-risks~="${at}"]`)
    if (line) goToLine(line)
    else if (isFirstTry) {
      onShowAll?.()
      requestAnimationFrame(() => goTo(at, false))
    } else {
      // A text that is masked has no lines yet: the way to reveal it is there.
      card?.querySelector("[data-wide-diff]")?.scrollIntoView()
    }
  }
  if (risks.length === 0) return null
  return (
    <section
      ref={place}
      className={look.risks}
      aria-labelledby={headingId === undefined ? titleId : `${titleId} ${headingId}`}
    >
      <TriangleAlert aria-hidden="true" />
      <div>
        <h3 id={titleId}>Check before allowing</h3>
        <ul className={look.list}>
          {risks.map((risk, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two risks may read alike
            <li key={at}>
              <Sentence text={risk.sentence} /> <span className={look.reason}>{riskReasons[risk.kind]}</span>
              {placed.has(at) && (
                <button type="button" className={look.line} onClick={() => goTo(at)}>
                  Show the line
                </button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
