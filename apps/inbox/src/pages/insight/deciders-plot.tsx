import { Plot, PlotTable, RowPlot, ShownText } from "@byleave/ui"
import type { ReactNode } from "react"
import { answerSeries } from "./insight-series.ts"
import { NothingYet } from "./nothing-yet.tsx"
import type { PlotPlace } from "./plot-place.ts"

/** Who answers. */
export function DecidersPlot({ view, when, hrefOf, onFollow }: PlotPlace): ReactNode {
  const { since, until } = view
  const title = "Decisions by reviewer"
  const rows = view.deciders.map(({ reviewer, approved, denied }) => {
    const filters = { decidedBy: reviewer, since, until }
    return {
      key: reviewer,
      name: <ShownText text={reviewer} />,
      counts: [approved, denied],
      href: hrefOf(filters),
      hrefOf: (series: { readonly key: string }) => hrefOf({ ...filters, answer: series.key }),
    }
  })
  return (
    <Plot
      title={title}
      words={rows.length === 0 ? `No decisions ${when}.` : `Who decided ${when}.`}
      series={answerSeries}
      table={<PlotTable label={title} first="Reviewer" series={answerSeries} rows={rows} onFollow={onFollow} />}
    >
      {rows.length === 0 ? (
        <NothingYet>No decisions.</NothingYet>
      ) : (
        <RowPlot series={answerSeries} rows={rows} onFollow={onFollow} />
      )}
    </Plot>
  )
}
