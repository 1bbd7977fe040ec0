import { ArrowDown, ArrowUp, Columns2 } from "lucide-react"
import type { ReactNode } from "react"
import look from "./diff-tools.module.css"
import { useSideBySide } from "./side-by-side.ts"
import type { ChangeSteps } from "./use-change-steps.ts"

/** Buttons above a difference: from change to change, and how it is laid out. */
export function DiffTools({ steps }: { readonly steps: ChangeSteps }): ReactNode {
  const [isSideBySide, choose] = useSideBySide()
  return (
    <div className={look.tools}>
      <span className={look.where} role="status">
        {steps.words}
      </span>
      <span className={look.steps}>
        <button
          type="button"
          className={look.tool}
          aria-label="Previous change"
          title="Previous change (p)"
          onClick={() => steps.step(-1)}
        >
          <ArrowUp aria-hidden="true" />
        </button>
        <button
          type="button"
          className={look.tool}
          aria-label="Next change"
          title="Next change (n)"
          onClick={() => steps.step(1)}
        >
          <ArrowDown aria-hidden="true" />
        </button>
      </span>
      <button
        type="button"
        className={`${look.tool} ${look.wide}`}
        aria-pressed={isSideBySide}
        onClick={() => choose(!isSideBySide)}
      >
        <Columns2 aria-hidden="true" />
        Side by side
      </button>
    </div>
  )
}
