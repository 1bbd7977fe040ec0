import type { ReactNode } from "react"
import look from "./rows.module.css"

/** A dense list: hairlines between rows, what can be done at their end. */
export function Rows({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <ul className={look.rows} aria-label={label}>
      {children}
    </ul>
  )
}

type RowProps = {
  readonly title: ReactNode
  readonly marks?: ReactNode
  /** A second line. */
  readonly words?: ReactNode
  readonly actions?: ReactNode
}

export function Row({ title, marks, words, actions }: RowProps): ReactNode {
  return (
    <li className={look.row}>
      <div className={look.main}>
        <p className={look.title}>
          <span>{title}</span>
          {marks}
        </p>
        {words !== undefined && <p className="aside">{words}</p>}
      </div>
      {actions !== undefined && <div className={look.actions}>{actions}</div>}
    </li>
  )
}
