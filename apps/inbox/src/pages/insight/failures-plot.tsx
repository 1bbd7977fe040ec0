import type { ToolRef } from "@byleave/core"
import { Plot, PlotTable, RowPlot, ShownName, ShownText } from "@byleave/ui"
import type { ReactNode } from "react"
import look from "./failures-plot.module.css"
import { failedSeries } from "./insight-series.ts"
import { NothingYet } from "./nothing-yet.tsx"
import type { PlotPlace } from "./plot-place.ts"

/** Tools whose calls failed, with what the server said last. */
export function FailuresPlot({ view, when, hrefOf, onFollow }: PlotPlace): ReactNode {
  const { since, until } = view
  const title = "Failures"
  const rows = view.failures.map(({ tool, calls, words }) => {
    const href = hrefOf({ server: tool.server, tool: tool.tool, outcome: "failed", since, until })
    return {
      key: JSON.stringify([tool.server, tool.tool]),
      name: (
        <>
          <ToolText tool={tool} />
          {words !== null && (
            <q className={look.words}>
              <ShownText text={words} />
            </q>
          )}
        </>
      ),
      inTable: <ToolText tool={tool} />,
      counts: [calls],
      href,
      hrefOf: () => href,
    }
  })
  const tableRows = rows.map(({ inTable, ...row }) => ({ ...row, name: inTable }))
  return (
    <Plot
      title={title}
      words={rows.length === 0 ? `No calls failed ${when}.` : `Tools that failed most ${when}, and their latest error.`}
      series={failedSeries}
      table={<PlotTable label={title} first="Tool" series={failedSeries} rows={tableRows} onFollow={onFollow} />}
    >
      {rows.length === 0 ? (
        <NothingYet>Every call that ran has succeeded.</NothingYet>
      ) : (
        <RowPlot series={failedSeries} rows={rows} onFollow={onFollow} />
      )}
    </Plot>
  )
}

function ToolText({ tool: { server, tool } }: { readonly tool: ToolRef }): ReactNode {
  return (
    <code>
      <ShownName text={`${server}(${tool})`} />
    </code>
  )
}
