import type { ApprovalSummaryView } from "@byleave/api"
import { ArrowUp, Hourglass } from "lucide-react"
import type { ReactNode } from "react"
import { calledText } from "../../card/head/ask-words.ts"
import { Button } from "../../parts/button.tsx"
import { ShownName } from "../../parts/shown-text.tsx"
import { Left } from "../../parts/time.tsx"
import look from "./waiting-bar.module.css"

type WaitingBarProps = {
  /** The calls of the thread that wait, in the order the model made them. */
  readonly waiting: readonly ApprovalSummaryView[]
  readonly onShow: (id: string) => void
}

/** Says above the composer that calls wait, and leads to the first. Nothing where none does. */
export function WaitingBar({ waiting, onShow }: WaitingBarProps): ReactNode {
  const [first] = waiting
  if (first === undefined) return null
  const expiresAt = first.status === "pending" ? first.expiresAt : null
  return (
    <section className={look.bar} aria-label="Waiting for approval">
      <Hourglass aria-hidden="true" />
      <p>
        <strong>{waiting.length === 1 ? "1 call waits" : `${waiting.length} calls wait`}</strong>
        <span className={look.what}>
          <ShownName text={calledText(first)} />
        </span>
        {expiresAt !== null && (
          <span className={look.left}>
            <Left until={expiresAt} />
          </span>
        )}
      </p>
      <Button size="small" icon={<ArrowUp />} onClick={() => onShow(first.id)}>
        {waiting.length === 1 ? "Show it" : "Show the first"}
      </Button>
    </section>
  )
}
