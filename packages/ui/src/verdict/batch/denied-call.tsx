import type { ApprovalSummaryView } from "@byleave/api"
import { type ReactNode, useState } from "react"
import { calledText } from "../../card/head/ask-words.ts"
import { CallChanges } from "../edit/call-changes.tsx"
import { ValueList } from "../edit/value-list.tsx"
import { RiskLines } from "../risk-lines.tsx"
import type { LoadCalls, LoadCurrent } from "../verdict.ts"
import { largestCall } from "./batch.ts"
import look from "./batch-bar.module.css"
import { useWholeCalls } from "./use-whole-calls.ts"

export type DeniedCallProps = {
  readonly approval: ApprovalSummaryView
  readonly isOpenAtFirst: boolean
  readonly loadCalls: LoadCalls
  readonly loadCurrent: LoadCurrent | undefined
}

/** One of several calls that are denied: the beginning of its arguments, and all of them once they are unfolded. */
export function DeniedCall({ approval, isOpenAtFirst, loadCalls, loadCurrent }: DeniedCallProps): ReactNode {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const { preview } = approval
  if (preview === null) return <p className={look.words}>Arguments no longer stored</p>
  return (
    <>
      {!isOpen && preview.length > 0 && <ValueList values={preview.map(({ name, text }) => ({ place: name, text }))} />}
      <details className={look.whole} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>All arguments</summary>
        {isOpen && <Whole approval={approval} loadCalls={loadCalls} loadCurrent={loadCurrent} />}
      </details>
    </>
  )
}

function Whole({ approval, loadCalls, loadCurrent }: Omit<DeniedCallProps, "isOpenAtFirst">): ReactNode {
  const isTooLong = approval.bytes > largestCall
  const whole = useWholeCalls(isTooLong ? [] : [approval.id], loadCalls)
  if (isTooLong) return <p className={look.words}>Too long to show here. Open the call to read it.</p>
  if (whole.state === "reading") return <p className={look.words}>Loading…</p>
  const [call] = whole.state === "ready" ? whole.calls : []
  if (call === undefined) return <p className={look.words}>The arguments could not be loaded.</p>
  return (
    <>
      <CallChanges approval={call} {...(loadCurrent === undefined ? {} : { loadCurrent })} />
      <RiskLines risks={call.risks} />
    </>
  )
}

/** So many calls are shown whole at once. */
const mostUnfolded = 5
const mostAlike = 20

/** The calls whose arguments are unfolded at first: all where they are few, or else those that would read like another. */
export function unfoldedAtFirst(calls: readonly ApprovalSummaryView[]): ReadonlySet<string> {
  if (calls.length <= mostUnfolded) return new Set(calls.map(({ id }) => id))
  const alike = Map.groupBy(calls, (call) =>
    JSON.stringify([calledText(call), call.preview?.map(({ name, text }) => [name, text])]),
  )
  const ids = [...alike.values()].filter((some) => some.length > 1).flatMap((some) => some.map(({ id }) => id))
  return new Set(ids.slice(0, mostAlike))
}
