import type { ReactNode } from "react"
import look from "./facts.module.css"

/** Names and what they stand for, in two columns; one below the other where there is no room. */
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

/** Exact values: commands, addresses, ids. Text, never a link. */
export function Exact({ children }: { readonly children: ReactNode }): ReactNode {
  return <code className={look.exact}>{children}</code>
}

export function Soft({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className="soft">{children}</span>
}
