import { Button, Empty } from "@byleave/ui"
import { History } from "lucide-react"
import type { ReactNode } from "react"
import look from "./call-list.module.css"
import { clockTime, dayInWords } from "./merge-newest.ts"

export type LookFurtherProps = {
  /** Nothing that fits was called from then on, or from then to what is shown. */
  readonly since: number
  /** Nothing is shown at all yet. */
  readonly isFirst: boolean
  readonly isReading: boolean
  readonly onMore: () => void
}

/** Many calls were looked through for none that fits: how far back that went, and the way further. It is no reason to say that there is none. */
export function LookFurther({ since, isFirst, isReading, onMore }: LookFurtherProps): ReactNode {
  const time = `${dayInWords(since)}, ${clockTime(since)}`
  const button = (
    <Button busy={isReading ? "Searching older calls" : false} onClick={onMore}>
      Search older calls
    </Button>
  )
  if (isFirst) {
    return (
      <Empty icon={<History />} title="No matches so far">
        <p>Searched back to {time}. Older calls have not been searched yet.</p>
        {button}
      </Empty>
    )
  }
  return (
    <div className={look.more}>
      <p>No more matches back to {time}.</p>
      {button}
    </div>
  )
}
