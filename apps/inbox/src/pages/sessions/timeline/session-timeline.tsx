import type { CallView, SessionView } from "@byleave/api"
import { Choice, Empty, Loading, Notice, Sheet } from "@byleave/ui"
import { Link, useRouter, useSearch } from "@tanstack/react-router"
import { History } from "lucide-react"
import { type ReactNode, useRef } from "react"
import { LookFurther } from "../../activity/look-further.tsx"
import { byDay, dayInWords } from "../../activity/merge-newest.ts"
import { MoreBelow } from "../../activity/more-below.tsx"
import { useInView } from "../../activity/use-in-view.ts"
import { useNewestFirst } from "../../activity/use-newest-first.ts"
import { ReadProblem } from "../../places/reading.tsx"
import look from "./session-timeline.module.css"
import { TimelineEntry } from "./timeline-entry.tsx"
import { readShow, type StoryShow, showFilters, storyShows } from "./timeline-words.ts"

type SessionTimelineProps = {
  readonly session: SessionView
  /** False: it has ended, and nothing is added any more. */
  readonly isLive: boolean
}

/** Clocks of the service and its store may differ a little: a first call is not lost to that. */
const before = 60_000

/** The calls of a session, newest first, read page by page. */
export function SessionTimeline({ session, isLive }: SessionTimelineProps): ReactNode {
  const router = useRouter()
  const search = useSearch({ strict: false }) as { readonly show?: unknown }
  const show = readShow(search.show)
  const top = useRef<HTMLDivElement>(null)
  const isAtTop = useInView(top)
  const { principal, id, startedAt } = session
  const calls = useNewestFirst({
    name: "listCalls",
    query: {
      principal,
      session: id,
      ...showFilters[show],
      ...(startedAt === null ? {} : { since: Math.max(0, startedAt - before) }),
    },
    keyOf: (call) => call.id,
    isAtTop: isAtTop && isLive,
    freshBy: "approval+run",
  })
  const choose = (next: string): void =>
    void router.navigate({
      to: "/sessions/$id",
      params: { id: session.key },
      search: (next === "all" ? {} : { show: next }) as never,
      replace: true,
      resetScroll: false,
    })
  return (
    <Sheet
      title="Calls"
      actions={
        <span className={look.tools}>
          <Link to="/activity" search={{ principal, session: id } as never}>
            Open in Activity
          </Link>
          <Choice
            label="Show"
            options={storyShows}
            value={show}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        </span>
      }
    >
      <div ref={top} aria-hidden="true" />
      {calls.state === "loading" && <Loading label="Reading calls" lines={8} />}
      {calls.state === "problem" && <ReadProblem problem={calls.problem} again={calls.again} />}
      {calls.state === "ready" && (
        <>
          {calls.problem !== null && <Notice tone="wait">{calls.problem.detail}</Notice>}
          {calls.items.length === 0 && !calls.hasMore && <NoCalls show={show} isLive={isLive} />}
          <Days calls={calls.items} />
          {calls.foundNoneSince !== null && (
            <LookFurther
              since={calls.foundNoneSince}
              isFirst={calls.items.length === 0}
              isReading={calls.isReadingMore}
              onMore={calls.readMore}
            />
          )}
          {calls.hasMore && calls.foundNoneSince === null && (
            <MoreBelow what="older calls" isReading={calls.isReadingMore} onMore={calls.readMore} />
          )}
        </>
      )}
    </Sheet>
  )
}

/** From so many on, entries out of sight are not laid out. */
const longAfter = 200

function Days({ calls }: { readonly calls: readonly CallView[] }): ReactNode {
  return byDay(calls, dayInWords).map((day) => (
    <section key={day.key} aria-label={day.label}>
      <h3 className={look.day}>{day.label}</h3>
      <ol className={look.line} data-long={calls.length > longAfter}>
        {day.items.map((call) => (
          <TimelineEntry key={call.id} call={call} />
        ))}
      </ol>
    </section>
  ))
}

const nothingShown = {
  all: "No calls yet",
  asked: "No calls needed approval",
  denied: "No calls were denied",
  failed: "No calls failed",
} as const satisfies Record<StoryShow, string>

function NoCalls({ show, isLive }: { readonly show: StoryShow; readonly isLive: boolean }): ReactNode {
  return (
    <Empty icon={<History />} title={nothingShown[show]}>
      {isLive ? "New calls appear here as the agent makes them." : "This session has ended."}
    </Empty>
  )
}
