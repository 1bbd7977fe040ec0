import type { ReactNode } from "react"
import { useSteps } from "../../card/arguments/folds.ts"
import { LongName, LongText, Masked, MoreSteps } from "../../card/arguments/shown-value.tsx"
import type { Placed } from "../remember/placed-values.ts"
import look from "./value-list.module.css"

/** `onReveal`: the value is masked until this is called. */
type ShownValue = Placed & { readonly onReveal?: () => void }

/** Values beside their places: names and values each have a column, so that a value's lines cannot pass for another argument. */
export function ValueList({ values }: { readonly values: readonly ShownValue[] }): ReactNode {
  const steps = useSteps(values.length, mostAtFirst, valuesAtOnce, { oneAPress: true })
  return (
    <>
      <dl className={look.values}>
        {values.slice(0, steps.shown).map(({ place, text, onReveal }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values of a call never change their order
          <div key={at} className={look.value}>
            <dt>
              <LongName text={place} most={120} />
            </dt>
            <dd>
              {onReveal !== undefined ? (
                <Masked name={place} length={text.length} onReveal={onReveal} />
              ) : text === "" ? (
                <em>empty text</em>
              ) : (
                <LongText text={text} most={160} mostLines={4} />
              )}
            </dd>
          </div>
        ))}
      </dl>
      <MoreSteps steps={steps} one="value" />
    </>
  )
}

const mostAtFirst = 100
const valuesAtOnce = 500
