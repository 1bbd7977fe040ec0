import type { ReactNode } from "react"
import look from "./quoted.module.css"

/** Words of a server or an agent: set apart and named, so that they cannot pass for ours. */
export function Quoted({ by, children }: { readonly by: string; readonly children: ReactNode }): ReactNode {
  return (
    <figure className={look.quoted}>
      <figcaption className="aside">{by}</figcaption>
      <blockquote className={look.words}>{children}</blockquote>
    </figure>
  )
}
