import { riskWeight } from "@byleave/api/page"
import { TriangleAlert } from "lucide-react"
import { type ReactNode, useId, useRef } from "react"
import { noRisked } from "../../diff/diff-context.ts"
import type { RiskedLines } from "../../diff/risk-places.ts"
import { goToLine } from "../../diff/use-change-steps.ts"
import type { RiskView } from "../arguments/arg-tree.ts"
import { Sentence } from "../arguments/shown-value.tsx"
import { riskReasons } from "./risk-reasons.ts"
import look from "./risks.module.css"

type RisksProps = {
  readonly risks: readonly RiskView[]
  /** Lines of the differences below that warnings are about. */
  readonly risked?: RiskedLines
  /** Unfolds what is folded on the card. */
  readonly onShowAll?: () => void
  /** The heading of the call they are about, where several calls are on one page. */
  readonly headingId?: string
}

/** Warnings with a reason each, the strong ones first. */
export function Risks({ risks, risked = noRisked, onShowAll, headingId }: RisksProps): ReactNode {
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
      data-strong={risks.some(({ kind }) => riskWeight(kind) === "strong")}
      aria-labelledby={headingId === undefined ? titleId : `${titleId} ${headingId}`}
    >
      <TriangleAlert aria-hidden="true" />
      <div>
        <h3 id={titleId}>Check before allowing</h3>
        <ul className={look.list}>
          {byWeight(risks).map(({ risk, at }) => (
            <li key={at} data-strong={riskWeight(risk.kind) === "strong"}>
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

/** `at`: its place among the warnings as they were told, by which lines of a difference refer to it. */
type RiskAt = { readonly risk: RiskView; readonly at: number }

function byWeight(risks: readonly RiskView[]): readonly RiskAt[] {
  const all = risks.map((risk, at) => ({ risk, at }))
  const isStrong = ({ risk }: RiskAt): boolean => riskWeight(risk.kind) === "strong"
  return [...all.filter(isStrong), ...all.filter((each) => !isStrong(each))]
}
