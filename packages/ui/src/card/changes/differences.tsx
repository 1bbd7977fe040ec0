import type { JsonValue } from "@byleave/core"
import type { ReactNode } from "react"
import { ShownName } from "../../parts/shown-text.tsx"
import { type ArgChange, placeWords } from "../arguments/arg-changes.ts"
import { argTree, secretsIn, valueWords } from "../arguments/arg-tree.ts"
import { hiddenWords } from "../arguments/cut-text.ts"
import { useSteps } from "../arguments/folds.ts"
import { jsonText } from "../arguments/json-lines.ts"
import { LongText, MoreSteps } from "../arguments/shown-value.tsx"
import { DiffView } from "./diff-view.tsx"
import look from "./differences.module.css"

export type DifferencesProps = {
  readonly changes: readonly ArgChange[]
  /** The newer value as a whole, which the places are in. */
  readonly within: JsonValue
  /** The names of the two sides, such as `before` and `now`. */
  readonly before: string
  readonly after: string
  /** Places whose secrets somebody has revealed elsewhere on the card. */
  readonly isRevealed?: (pointer: string) => boolean
}

const mostShown = 12
const differencesAtOnce = 200

/** Places where two JSON values differ, each with what stands there on either side. */
export function Differences({ changes, within, before, after, isRevealed = () => false }: DifferencesProps): ReactNode {
  const steps = useSteps(changes.length, mostShown, differencesAtOnce, { oneAPress: true })
  return (
    <ul className={look.list}>
      {changes.slice(0, steps.shown).map((change) => (
        <li key={change.path} className={look.item}>
          <p className={look.place}>
            <ShownName text={placeWords(change.path, within)} />
          </p>
          <Sides change={change} before={before} after={after} isShown={isRevealed(change.path)} />
        </li>
      ))}
      {steps.rest > 0 && (
        <li>
          <MoreSteps steps={steps} one="difference" />
        </li>
      )}
    </ul>
  )
}

type SidesProps = {
  readonly change: ArgChange
  readonly before: string
  readonly after: string
  readonly isShown: boolean
}

function Sides({ change, before, after, isShown }: SidesProps): ReactNode {
  const old = change.before
  const young = change.after
  const isSecret = !isShown && [old, young].some((value) => value !== undefined && holdsSecret(change.path, value))
  if (
    !isSecret &&
    typeof old === "string" &&
    typeof young === "string" &&
    (old.includes("\n") || young.includes("\n"))
  ) {
    return <DiffView before={old} after={young} label={`${before} and ${after}`} hasNumbers={false} />
  }
  return (
    <>
      <Side side="before" label={before} value={old} isSecret={isSecret} />
      <Side side="after" label={after} value={young} isSecret={isSecret} />
    </>
  )
}

type SideProps = {
  readonly side: "before" | "after"
  readonly label: string
  readonly value: JsonValue | undefined
  readonly isSecret: boolean
}

function Side({ side, label, value, isSecret }: SideProps): ReactNode {
  return (
    <div className={look.side} data-side={side}>
      <span className="soft">{label}</span>
      <span>
        {value === undefined ? "missing" : isSecret ? hiddenWords(textOf(value).length) : <Shown value={value} />}
      </span>
    </div>
  )
}

function Shown({ value }: { readonly value: JsonValue }): ReactNode {
  const text = textOf(value)
  return text === "" ? <em>empty text</em> : <LongText text={text} most={400} mostLines={8} />
}

function textOf(value: JsonValue): string {
  return typeof value === "object" && value !== null ? jsonText(value) : valueWords(value)
}

function holdsSecret(pointer: string, value: JsonValue): boolean {
  const name = pointer.slice(pointer.lastIndexOf("/") + 1)
  return secretsIn(argTree({ [name]: value }, [])).length > 0
}
