import type { ReactNode } from "react"
import look from "./switch-bar.module.css"

type SwitchBarProps<Value extends string> = {
  readonly label: string
  readonly value: Value
  readonly choices: ReadonlyArray<{ readonly value: Value; readonly label: string }>
  readonly onChoose: (value: Value) => void
}

/** Shows one part of a page at a time: a row of words, the chosen one underlined. */
export function SwitchBar<Value extends string>({ label, value, choices, onChoose }: SwitchBarProps<Value>): ReactNode {
  return (
    <fieldset className={look.bar} aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChoose(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  )
}
