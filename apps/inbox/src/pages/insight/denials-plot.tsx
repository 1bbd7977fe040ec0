import { Plot, PlotTable, RowPlot, ShownText } from "@byleave/ui"
import type { ReactNode } from "react"
import { refusedSeries } from "./insight-series.ts"
import { NothingYet } from "./nothing-yet.tsx"
import type { PlotPlace } from "./plot-place.ts"

/** Why calls did not run. */
export function DenialsPlot({ view, when, hrefOf, onFollow }: PlotPlace): ReactNode {
  const { since, until } = view
  const title = "Why calls did not run"
  const rows = view.denials.map(({ code, words, calls }) => {
    const href = hrefOf({ code, since, until })
    return { key: code, name: <ShownText text={words} />, counts: [calls], href, hrefOf: () => href }
  })
  return (
    <Plot
      title={title}
      words={rows.length === 0 ? `No calls were refused ${when}.` : `Calls that did not run ${when}, by reason.`}
      series={refusedSeries}
      table={<PlotTable label={title} first="Reason" series={refusedSeries} rows={rows} onFollow={onFollow} />}
    >
      {rows.length === 0 ? (
        <NothingYet>Every call was allowed or is still waiting.</NothingYet>
      ) : (
        <RowPlot series={refusedSeries} rows={rows} onFollow={onFollow} />
      )}
    </Plot>
  )
}
