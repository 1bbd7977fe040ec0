import type { ReactNode } from "react"
import look from "./before-after.module.css"

/** The permission as it is and as it will be. */
export function BeforeAfter({ before, after }: { readonly before: ReactNode; readonly after: ReactNode }): ReactNode {
  return (
    <dl className={look.both}>
      <div className={look.side}>
        <dt>Now</dt>
        <dd>{before}</dd>
      </div>
      <div className={look.side} data-side="after">
        <dt>After</dt>
        <dd>{after}</dd>
      </div>
    </dl>
  )
}
