import { BarPlot, foldBars, Plot, PlotTable, spanInWords, tickOf, totalOf } from "@byleave/ui"
import type { ReactNode } from "react"
import { decisionSeries } from "./insight-series.ts"
import { decisionBars, decisionWords } from "./insight-words.ts"
import type { PlotPlace } from "./plot-place.ts"

/** Calls by what was decided, over time. */
export function DecisionPlot({ view, when, hrefOf, onFollow }: PlotPlace): ReactNode {
  const bars = decisionBars(view)
  const barsFor = (most: number) =>
    foldBars(bars, most).map(({ from, to, counts }) => ({
      key: String(from),
      name: spanInWords(from, to),
      tick: tickOf(from),
      counts,
      href: totalOf(counts) === 0 ? null : hrefOf({ since: from, until: to }),
    }))
  const rows = bars.map(({ from, to, counts }) => ({
    key: String(from),
    name: spanInWords(from, to),
    counts,
    hrefOf: (series: { readonly key: string }) => hrefOf({ effect: series.key, since: from, until: to }),
  }))
  const title = "Calls by decision"
  return (
    <Plot
      title={title}
      words={decisionWords(bars, when)}
      series={decisionSeries}
      table={<PlotTable label={title} first="Time" series={decisionSeries} rows={rows} onFollow={onFollow} />}
    >
      <BarPlot label={title} series={decisionSeries} barsFor={barsFor} onFollow={onFollow} />
    </Plot>
  )
}
