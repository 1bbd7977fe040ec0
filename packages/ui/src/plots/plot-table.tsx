import type { ReactNode } from "react"
import { followInPage } from "./follow.ts"
import look from "./plot-table.module.css"
import { type Series, totalOf } from "./series.ts"

type PlotTableRow = {
  readonly key: string
  readonly name: ReactNode
  readonly counts: readonly number[]
  /** Where the calls of one cell are listed. */
  readonly hrefOf: (series: Series) => string | null
}

type PlotTableProps = {
  readonly label: string
  readonly first: string
  readonly series: readonly Series[]
  readonly rows: readonly PlotTableRow[]
  readonly onFollow: (href: string) => void
}

/** A plot's numbers, each a link to its calls; rows of nothing but zeros are left out. */
export function PlotTable({ label, first, series, rows, onFollow }: PlotTableProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={look.box} tabIndex={0} aria-label={`${label}, as a table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {series.map(({ key, label: column }) => (
              <th key={key} scope="col" className={look.number}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            .filter((row) => totalOf(row.counts) > 0)
            .map((row) => (
              <tr key={row.key}>
                <th scope="row">{row.name}</th>
                {series.map((column, at) => (
                  <td key={column.key} className={look.number}>
                    <Count count={row.counts[at] ?? 0} href={row.hrefOf(column)} onFollow={onFollow} />
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}

type CountProps = { readonly count: number; readonly href: string | null; readonly onFollow: (href: string) => void }

function Count({ count, href, onFollow }: CountProps): ReactNode {
  const words = count.toLocaleString("en")
  if (count === 0 || href === null) return words
  return (
    <a className={look.count} href={href} onClick={(event) => followInPage(event, href, onFollow)}>
      {words}
    </a>
  )
}
