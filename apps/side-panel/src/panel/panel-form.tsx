import { type ChangeEvent, type ReactNode, useState } from "react"
import look from "./places.module.css"
import { ProblemNotice } from "./problem-notice.tsx"

type PanelFormProps = {
  /** Its name for those who do not see it. */
  readonly label: string
  readonly title?: string
  readonly lead?: ReactNode
  /** Why it was not done. */
  readonly problem: string | null
  readonly buttons: ReactNode
  /** The fields. */
  readonly children?: ReactNode
}

/** A form of the panel: what it is for, its fields, what went wrong, and its buttons. */
export function PanelForm({ label, title, lead, problem, buttons, children }: PanelFormProps): ReactNode {
  return (
    <section className={look.form} aria-label={label}>
      {title !== undefined && (
        <div>
          <h3>{title}</h3>
          <p className="aside">{lead}</p>
        </div>
      )}
      {children}
      <ProblemNotice words={problem} />
      <div className={look.buttons}>{buttons}</div>
    </section>
  )
}

type Typed = {
  readonly value: string
  readonly onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void
}

/** The text of a field, and the properties that bind the field to it. */
export function useText(start = ""): readonly [string, Typed] {
  const [value, setValue] = useState(start)
  return [value, { value, onChange: (event) => setValue(event.currentTarget.value) }]
}
