import type { ReactNode } from "react"
import look from "./nothing-yet.module.css"

/** Where a plot would be, when there is nothing to plot. */
export function NothingYet({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className={look.nothing}>{children}</p>
}
