import type { InsightView } from "@byleave/api"
import { BarPlot, Plot, PlotTable, RowPlot, type Series } from "@byleave/ui"
import type { ReactNode } from "react"
import { AskedPlot } from "../../src/pages/insight/asked-plot.tsx"
import { AgentsPlot, ServersPlot } from "../../src/pages/insight/callers-plots.tsx"
import { DecidePlot } from "../../src/pages/insight/decide-plot.tsx"
import { DecidersPlot } from "../../src/pages/insight/deciders-plot.tsx"
import { DecisionPlot } from "../../src/pages/insight/decision-plot.tsx"
import { DenialsPlot } from "../../src/pages/insight/denials-plot.tsx"
import { FailuresPlot } from "../../src/pages/insight/failures-plot.tsx"
import type { PlotPlace } from "../../src/pages/insight/plot-place.ts"
import { nothing } from "../card-of.tsx"
import type { Example, ExampleGroup } from "../example.ts"
import { aDay, anEmptyDay } from "../insight.ts"

const placeOf = (view: InsightView): PlotPlace => ({
  view,
  when: "in the last 24 hours",
  hrefOf: () => "#plots",
  onFollow: nothing,
})

const pages: Readonly<Record<string, (place: PlotPlace) => ReactNode>> = {
  decisions: DecisionPlot,
  "time to decide": DecidePlot,
  "what was asked": AskedPlot,
  "who decided": DecidersPlot,
  denials: DenialsPlot,
  failures: FailuresPlot,
  agents: AgentsPlot,
  servers: ServersPlot,
}

function ofThePage([title, Drawn]: [string, (place: PlotPlace) => ReactNode]): readonly Example[] {
  const id = `plot-${title.replaceAll(" ", "-")}`
  return [
    { id, title, Draw: () => <Drawn {...placeOf(aDay)} /> },
    { id: `${id}-empty`, title: `${title}, nothing yet`, Draw: () => <Drawn {...placeOf(anEmptyDay)} /> },
  ]
}

const series: readonly Series[] = [
  { key: "yes", label: "Allowed", fill: "yes" },
  { key: "wait", label: "Asked", fill: "wait" },
  { key: "no", label: "Denied", fill: "no" },
  { key: "quiet", label: "Hidden", fill: "quiet" },
  { key: "know", label: "Read", fill: "know" },
]
const rows = ["files", "web", "memory"].map((name, at) => ({
  key: name,
  name,
  counts: series.map((_, place) => (at + 1) * (5 - place)),
  href: "#plots",
}))

export const plots: ExampleGroup = {
  title: "Plots",
  examples: [
    {
      id: "plot-fills",
      title: "every fill, as bars, rows and table",
      Draw: () => (
        <Plot
          title="Calls by server"
          words="Each series has a colour and a pattern."
          series={series}
          table={
            <PlotTable
              label="Calls by server"
              first="Server"
              series={series}
              rows={rows.map((row) => ({ ...row, hrefOf: () => row.href }))}
              onFollow={nothing}
            />
          }
        >
          <BarPlot
            label="Calls by server"
            series={series}
            barsFor={() => rows.map((row) => ({ ...row, tick: row.name }))}
            onFollow={nothing}
          />
          <RowPlot series={series} rows={rows} onFollow={nothing} />
        </Plot>
      ),
    },
    ...Object.entries(pages).flatMap(ofThePage),
  ],
}
