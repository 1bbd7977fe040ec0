import { Plot, PlotTable, RowPlot, ShownName } from "@byleave/ui"
import type { ReactNode } from "react"
import type { ActivityFilters } from "../activity/activity-filters.ts"
import { askedSeries } from "./insight-series.ts"
import { NothingYet } from "./nothing-yet.tsx"
import type { PlotPlace } from "./plot-place.ts"

/** The tools that people are asked about most. */
export function AskedPlot({ view, when, hrefOf, onFollow }: PlotPlace): ReactNode {
  const { since, until } = view
  const title = "Most reviewed"
  const rows = view.asked.map(({ tool, approved, denied, open }) => {
    const filters: ActivityFilters = { effect: "ask", server: tool.server, tool: tool.tool, since, until }
    return {
      key: JSON.stringify([tool.server, tool.tool]),
      name: (
        <code>
          <ShownName text={`${tool.server}(${tool.tool})`} />
        </code>
      ),
      counts: [approved, denied, open],
      href: hrefOf(filters),
      hrefOf: (series: { readonly key: string }) => hrefOf({ ...filters, answer: series.key }),
    }
  })
  return (
    <Plot
      title={title}
      words={
        rows.length === 0
          ? `Nothing needed approval ${when}.`
          : `Tools that needed approval most often ${when}, and how they were decided. If a tool is always allowed, consider a rule.`
      }
      series={askedSeries}
      table={<PlotTable label={title} first="Tool" series={askedSeries} rows={rows} onFollow={onFollow} />}
    >
      {rows.length === 0 ? (
        <NothingYet>No calls needed approval.</NothingYet>
      ) : (
        <RowPlot series={askedSeries} rows={rows} onFollow={onFollow} />
      )}
    </Plot>
  )
}
