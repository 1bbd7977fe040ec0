import type { ApprovalView } from "@byleave/api"
import type { ReactNode } from "react"
import { type AlsoWaiting, mostAlong } from "./also-waiting.ts"
import look from "./also-waiting-list.module.css"
import { AlsoWaitingRow } from "./also-waiting-row.tsx"

type AlsoWaitingListProps = {
  readonly effect: "allow" | "deny"
  /** The call whose card this is. */
  readonly answered: ApprovalView
  readonly also: readonly AlsoWaiting[]
  readonly chosen: readonly AlsoWaiting[]
  readonly onChoose: (id: string, isChosen: boolean) => void
}

/** The waiting calls that the rule covers: each is answered along only if it is ticked. */
export function AlsoWaitingList({ effect, answered, also, chosen, onChoose }: AlsoWaitingListProps): ReactNode {
  if (also.length === 0) return null
  const isChosen = new Set(chosen.map(({ approval }) => approval.id))
  return (
    <fieldset className={look.also}>
      <legend>{effect === "allow" ? "Also allow" : "Also deny"} waiting calls</legend>
      <p className="aside">
        The permission covers these calls but applies only to future ones. Select the waiting calls to decide now;
        identical calls are preselected.
      </p>
      {also.length === mostAlong && <p className="aside">Showing the first {mostAlong}; the rest keep waiting.</p>}
      <ul className={look.calls}>
        {also.map((each) => (
          <AlsoWaitingRow
            key={each.approval.id}
            also={each}
            answered={answered}
            isChosen={isChosen.has(each.approval.id)}
            onChoose={onChoose}
          />
        ))}
      </ul>
    </fieldset>
  )
}
