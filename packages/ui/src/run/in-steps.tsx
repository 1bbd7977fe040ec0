import type { ReactNode } from "react"
import { useSteps } from "../card/arguments/folds.ts"
import { MoreSteps } from "../card/arguments/shown-value.tsx"

type InStepsProps<Item> = {
  readonly items: readonly Item[]
  /** The noun for one of them. */
  readonly one: string
  readonly first?: number
  readonly children: (item: Item) => ReactNode
}

const atOnce = 50

/** Elements of a list: the first ones, and more with each press. A model may make thousands of calls at once. */
export function InSteps<Item>({ items, one, first = atOnce, children }: InStepsProps<Item>): ReactNode {
  const steps = useSteps(items.length, first, atOnce)
  return (
    <>
      {items.slice(0, steps.shown).map(children)}
      {steps.rest > 0 && (
        <li>
          <MoreSteps steps={steps} one={one} />
        </li>
      )}
    </>
  )
}
