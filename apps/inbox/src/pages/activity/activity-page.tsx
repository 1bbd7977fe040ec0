import { Button, Empty, Loading, Notice, Page, Sheet, useNow } from "@byleave/ui"
import { ScrollText } from "lucide-react"
import { type ReactNode, useRef } from "react"
import { ReadProblem } from "../places/reading.tsx"
import { callsQuery, chipsOf } from "./activity-filters.ts"
import { CallList } from "./call-list.tsx"
import { FilterBar } from "./filter-bar.tsx"
import { LookFurther } from "./look-further.tsx"
import { MoreBelow } from "./more-below.tsx"
import { useActivity } from "./use-activity.ts"
import { useInView } from "./use-in-view.ts"
import { useNewestFirst } from "./use-newest-first.ts"

const minute = 60_000

/** Every call, newest first, with what was decided and what became of it. */
export function ActivityPage(): ReactNode {
  const { filters, show } = useActivity()
  const top = useRef<HTMLDivElement>(null)
  const isAtTop = useInView(top)
  const now = useNow(minute)
  const isNarrowed = chipsOf(filters).length > 0
  const calls = useNewestFirst({
    name: "listCalls",
    query: callsQuery(filters, now),
    keyOf: (call) => call.id,
    isAtTop,
  })
  return (
    <Page title="Activity" lead="Every call your agents made, how it was decided, and how it ended.">
      <FilterBar filters={filters} onShow={show} />
      <Sheet label="Calls">
        <div ref={top} aria-hidden="true" />
        {calls.state === "loading" && <Loading label="Loading calls" lines={8} />}
        {calls.state === "problem" && <ReadProblem problem={calls.problem} again={calls.again} />}
        {calls.state === "ready" && calls.problem !== null && <Notice tone="wait">{calls.problem.detail}</Notice>}
        {calls.state === "ready" && calls.items.length === 0 && !calls.hasMore && (
          <NoCalls isNarrowed={isNarrowed} onShowAll={() => show({})} />
        )}
        {calls.state === "ready" && calls.items.length > 0 && <CallList calls={calls.items} />}
        {calls.state === "ready" && calls.foundNoneSince !== null && (
          <LookFurther
            since={calls.foundNoneSince}
            isFirst={calls.items.length === 0}
            isReading={calls.isReadingMore}
            onMore={calls.readMore}
          />
        )}
        {calls.state === "ready" && calls.hasMore && calls.foundNoneSince === null && (
          <MoreBelow what="older calls" isReading={calls.isReadingMore} onMore={calls.readMore} />
        )}
      </Sheet>
    </Page>
  )
}

type NoCallsProps = { readonly isNarrowed: boolean; readonly onShowAll: () => void }

function NoCalls({ isNarrowed, onShowAll }: NoCallsProps): ReactNode {
  if (!isNarrowed) {
    return (
      <Empty icon={<ScrollText />} title="No calls yet">
        Calls appear here as soon as an agent makes them, whether or not they need approval.
      </Empty>
    )
  }
  return (
    <Empty icon={<ScrollText />} title="No matches">
      <p>No calls match all of these filters.</p>
      <Button onClick={onShowAll}>Show all calls</Button>
    </Empty>
  )
}
