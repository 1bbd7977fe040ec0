import { type ReactNode, useId } from "react"
import { Legend } from "./fills.tsx"
import look from "./plot.module.css"
import type { Series } from "./series.ts"

type PlotProps = {
  readonly title: string
  /** The plot's message, in a sentence. */
  readonly words: ReactNode
  /** Named in a legend where there are several. */
  readonly series: readonly Series[]
  readonly children: ReactNode
  /** The same as numbers. */
  readonly table: ReactNode
}

/** A plot with its title, what it says in words, its legend, and the same as a table for whoever would rather read. */
export function Plot({ title, words, series, children, table }: PlotProps): ReactNode {
  const id = useId()
  return (
    <section className={look.plot} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <p className="soft">{words}</p>
      </header>
      {series.length > 1 && <Legend id={id} series={series} />}
      {children}
      <details className={look.numbers}>
        <summary>
          As a table<span className="only-read-aloud">: {title}</span>
        </summary>
        {table}
      </details>
    </section>
  )
}
