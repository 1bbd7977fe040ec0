import type { ApprovalView } from "@byleave/api"
import type { ReactNode } from "react"
import { LongText } from "../card/shown-value.tsx"
import { ShownName } from "../parts/shown-text.tsx"
import { type Placed, placedArguments } from "./placed-values.ts"
import look from "./value-list.module.css"

/** Values beside their places: names and values each have a column, so that a value's lines cannot pass for another argument. */
export function ValueList({ values }: { readonly values: readonly Placed[] }): ReactNode {
  return (
    <dl className={look.values}>
      {values.map(({ place, text }) => (
        <div key={place} className={look.value}>
          <dt>
            <ShownName text={place} />
          </dt>
          <dd>{text === "" ? <em>empty text</em> : <LongText text={text} most={160} mostLines={4} />}</dd>
        </div>
      ))}
    </dl>
  )
}

type AllArgumentsProps = {
  readonly approval: ApprovalView
  /** Names of arguments that are shown elsewhere. */
  readonly without?: ReadonlySet<string | undefined>
}

/** Every argument of a call, for whoever cannot set it against one that was looked at. */
export function AllArguments({ approval, without = nothing }: AllArgumentsProps): ReactNode {
  const values = placedArguments(approval)
  if (values === null) return <p className={look.words}>Arguments no longer stored</p>
  if (values.length === 0) return <p className={look.words}>No arguments</p>
  const rest = values.filter(({ place }) => !without.has(place))
  return rest.length === 0 ? null : <ValueList values={rest} />
}

const nothing: ReadonlySet<string | undefined> = new Set()
