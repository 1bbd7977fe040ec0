import type { ReactNode } from "react"
import { useNameInCard } from "./card-name.ts"
import look from "./section.module.css"

type SectionProps = { readonly title: string; readonly aside?: ReactNode; readonly children: ReactNode }

/** One line of the form that a card is: what it is about at the left, the rest beside it; below it where there is no room. */
export function Section({ title, aside, children }: SectionProps): ReactNode {
  return (
    <section className={look.section} aria-label={useNameInCard(title)}>
      <h3 className={look.title}>{title}</h3>
      {aside !== undefined && <div className={look.aside}>{aside}</div>}
      <div className={look.body}>{children}</div>
    </section>
  )
}
