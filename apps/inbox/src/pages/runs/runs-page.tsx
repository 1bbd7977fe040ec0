import { Button, Empty, Exact, Loading, Notice, Page, Sheet } from "@byleave/ui"
import { useRouter, useSearch } from "@tanstack/react-router"
import { Route } from "lucide-react"
import type { ReactNode } from "react"
import { stringifySearch } from "../../shell/search-text.ts"
import { MoreBelow } from "../activity/more-below.tsx"
import { ReadProblem } from "../places/reading.tsx"
import { SwitchBar } from "../places/switch-bar.tsx"
import { type RunFilter, readRunFilter, runFilters } from "./run-filter.ts"
import { RunList } from "./run-list.tsx"
import { useRuns } from "./use-runs.ts"

/** Every agent run, newest first: how it stands, what it used, and who started it. */
export function RunsPage(): ReactNode {
  const router = useRouter()
  const filter = readRunFilter(useSearch({ strict: false }) as Readonly<Record<string, unknown>>)
  const runs = useRuns(filter)
  const show = (status: RunFilter): void => {
    const href = `/runs${stringifySearch(status === "" ? {} : { status })}`
    void router.navigate({ href, replace: true, resetScroll: false })
  }
  return (
    <Page
      title="Runs"
      lead="Agents that Byleave runs itself. A run pauses at a call that needs approval, and continues once it is decided."
    >
      <SwitchBar label="Show runs by state" value={filter} choices={runFilters} onChoose={show} />
      <Sheet label="Runs">
        {runs.state === "loading" && <Loading label="Loading runs" lines={6} />}
        {runs.state === "problem" && <ReadProblem problem={runs.problem} again={runs.again} />}
        {runs.state === "ready" && runs.problem !== null && <Notice tone="wait">{runs.problem.detail}</Notice>}
        {runs.state === "ready" && runs.runs.length === 0 && (
          <NoRuns isNarrowed={filter !== ""} onShowAll={() => show("")} />
        )}
        {runs.state === "ready" && runs.runs.length > 0 && <RunList runs={runs.runs} />}
        {runs.state === "ready" && runs.hasMore && (
          <MoreBelow what="older runs" isReading={runs.isReadingMore} onMore={runs.readMore} />
        )}
      </Sheet>
    </Page>
  )
}

type NoRunsProps = { readonly isNarrowed: boolean; readonly onShowAll: () => void }

export function NoRuns({ isNarrowed, onShowAll }: NoRunsProps): ReactNode {
  if (isNarrowed) {
    return (
      <Empty icon={<Route />} title="No matches">
        <p>No run is in this state.</p>
        <Button onClick={onShowAll}>Show all runs</Button>
      </Empty>
    )
  }
  return (
    <Empty icon={<Route />} title="No runs yet">
      <p>Start one in a terminal, with the task in quotes:</p>
      <p>
        <Exact>byleave run "Tidy my notes"</Exact>
      </p>
      <p>It appears here right away. Programs can start runs through the API with a runner token.</p>
    </Empty>
  )
}
