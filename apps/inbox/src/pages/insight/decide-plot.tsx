import { BarPlot, boundInWords, Plot, PlotTable } from "@byleave/ui"
import type { ReactNode } from "react"
import { answeredSeries } from "./insight-series.ts"
import { decideWords, waitBars } from "./insight-words.ts"
import { NothingYet } from "./nothing-yet.tsx"
import type { PlotPlace } from "./plot-place.ts"

/** A bar ends with its bound, so the next one begins a millisecond later: no call is behind both. */
function within(from: number, to: number | null) {
  return { decidedFromMs: from === 0 ? 0 : from + 1, ...(to === null ? {} : { decidedToMs: to }) }
}

/** How long people took to answer. */
export function DecidePlot({ view, hrefOf, onFollow }: PlotPlace): ReactNode {
  const { since, until } = view
  const bars = waitBars(view.timeToDecide).map(({ from, to, name, calls }) => ({
    key: String(from),
    name: `Decided after ${name}`,
    tick: to === null ? `over ${boundInWords(from)}` : `≤ ${boundInWords(to)}`,
    counts: [calls],
    href: calls === 0 ? null : hrefOf({ since, until, ...within(from, to) }),
  }))
  const title = "Time to decide"
  const hasAny = bars.some(({ href }) => href !== null)
  return (
    <Plot
      title={title}
      words={decideWords(view.timeToDecide)}
      series={answeredSeries}
      table={
        <PlotTable
          label={title}
          first="Decided after"
          series={answeredSeries}
          rows={bars.map(({ key, name, counts, href }) => ({ key, name, counts, hrefOf: () => href }))}
          onFollow={onFollow}
        />
      }
    >
      {hasAny ? (
        <BarPlot label={title} series={answeredSeries} barsFor={() => bars} onFollow={onFollow} />
      ) : (
        <NothingYet>No decisions in this period.</NothingYet>
      )}
    </Plot>
  )
}
