import type { InsightView } from "@byleave/api"
import { Choice, Empty, Page, Sheet, useNow } from "@byleave/ui"
import { useRouter, useSearch } from "@tanstack/react-router"
import { ChartNoAxesColumn } from "lucide-react"
import type { ReactNode } from "react"
import { useRead } from "../../data/use-read.ts"
import { useActivityHref } from "../activity/use-activity.ts"
import { Reading } from "../places/reading.tsx"
import { AskedPlot } from "./asked-plot.tsx"
import { AgentsPlot, ServersPlot, SessionsPlot } from "./callers-plots.tsx"
import { DecidePlot } from "./decide-plot.tsx"
import { DecidersPlot } from "./deciders-plot.tsx"
import { DecisionPlot } from "./decision-plot.tsx"
import { DenialsPlot } from "./denials-plot.tsx"
import { FailuresPlot } from "./failures-plot.tsx"
import look from "./insight-page.module.css"
import { rangeChoices, rangeOf, readRange } from "./insight-range.ts"
import type { PlotPlace } from "./plot-place.ts"

const minute = 60_000

/** Counts of calls, approvals and decisions. */
export function InsightPage(): ReactNode {
  const router = useRouter()
  const search = useSearch({ strict: false }) as { readonly range?: unknown }
  const name = readRange(search.range)
  const range = rangeOf(name, useNow(minute))
  const read = useRead("insight", { query: range }, { everyMs: minute, keepsPrevious: true })
  // The time moves on with the clock: what was counted a moment ago stays until the next count. Another length is another question.
  const insight: typeof read = read.state === "ready" && !isAsLong(read.value, range) ? { state: "loading" } : read
  const choose = (next: string): void =>
    void router.navigate({ to: "/insight", search: { range: next } as never, replace: true })
  const words = rangeChoices.find((choice) => choice.value === name)?.words ?? ""
  return (
    <Page
      title="Insight"
      lead="What your agents do, which of them do most, what needs approval, and how long decisions take. Select a bar to see its calls."
      actions={
        <Choice
          label="Time"
          options={rangeChoices}
          value={name}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      }
    >
      <Reading of={insight} label="Counting calls" lines={8}>
        {(view) => (view.byDecision.some(hasCalls) ? <Plots view={view} when={words} /> : <NoCalls when={words} />)}
      </Reading>
    </Page>
  )
}

type Span = Pick<InsightView, "since" | "until">

function isAsLong(one: Span, other: Span): boolean {
  return one.until - one.since === other.until - other.since
}

function hasCalls({ allow, ask, deny, hide }: InsightView["byDecision"][number]): boolean {
  return allow + ask + deny + hide > 0
}

function NoCalls({ when }: { readonly when: string }): ReactNode {
  return (
    <Sheet label="No calls">
      <Empty icon={<ChartNoAxesColumn />} title={`No calls ${when}`}>
        Calls are counted as soon as agents make them. Choose a longer period to see older calls.
      </Empty>
    </Sheet>
  )
}

function Plots({ view, when }: { readonly view: InsightView; readonly when: string }): ReactNode {
  const router = useRouter()
  const hrefOf = useActivityHref()
  const place: PlotPlace = { view, when, hrefOf, onFollow: (href) => void router.navigate({ href }) }
  return (
    <div className={look.plots}>
      <div className={look.wide}>
        <DecisionPlot {...place} />
      </div>
      <div className={look.column}>
        <AgentsPlot {...place} />
        <SessionsPlot {...place} />
        <DecidePlot {...place} />
        <DecidersPlot {...place} />
      </div>
      <div className={look.column}>
        <ServersPlot {...place} />
        <FailuresPlot {...place} />
        <AskedPlot {...place} />
        <DenialsPlot {...place} />
      </div>
    </div>
  )
}
