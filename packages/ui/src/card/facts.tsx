import type { ReactNode } from "react"
import look from "./facts.module.css"

/** Things to know, each under its name. */
export function Facts({ children }: { readonly children: ReactNode }): ReactNode {
  return <dl className={look.facts}>{children}</dl>
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className={look.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
