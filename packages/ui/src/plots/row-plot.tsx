import { type ReactNode, useId } from "react"
import fills from "./fills.module.css"
import { FillPatterns, fillOf } from "./fills.tsx"
import { followInPage } from "./follow.ts"
import look from "./row-plot.module.css"
import { countsInWords, type Series, totalOf } from "./series.ts"
import { rowParts } from "./stack-parts.ts"

export type PlotRow = {
  readonly key: string
  /** May be another's words: then already made safe to show. */
  readonly name: ReactNode
  readonly counts: readonly number[]
  readonly href: string | null
}

type RowPlotProps = {
  readonly series: readonly Series[]
  readonly rows: readonly PlotRow[]
  readonly onFollow: (href: string) => void
}

/** Lying bars, stacked by series: a name, its counts in words, and the bar below. Each is a link. */
export function RowPlot({ series, rows, onFollow }: RowPlotProps): ReactNode {
  const id = useId()
  const most = Math.max(0, ...rows.map((row) => totalOf(row.counts)))
  return (
    <ul className={look.rows}>
      {rows.map((row) => (
        <li key={row.key}>
          <Row row={row} onFollow={onFollow}>
            <span className={look.name}>{row.name}</span>
            <span className={look.counts}>{countsInWords(row.counts, series)}</span>
            <svg className={look.bar} aria-hidden="true">
              <FillPatterns id={id} series={series} />
              {rowParts(row.counts, most).map((part) => (
                <rect
                  key={series[part.series]?.key}
                  className={fills.edge}
                  data-fill={series[part.series]?.fill}
                  fill={fillOf(id, series[part.series])}
                  x={`${part.start}%`}
                  width={`${part.width}%`}
                  y="1"
                  height="10"
                />
              ))}
            </svg>
          </Row>
        </li>
      ))}
    </ul>
  )
}

type RowProps = { readonly row: PlotRow; readonly onFollow: (href: string) => void; readonly children: ReactNode }

function Row({ row, onFollow, children }: RowProps): ReactNode {
  const { href } = row
  if (href === null) return <div className={look.row}>{children}</div>
  return (
    <a className={look.row} href={href} onClick={(event) => followInPage(event, href, onFollow)}>
      {children}
    </a>
  )
}
