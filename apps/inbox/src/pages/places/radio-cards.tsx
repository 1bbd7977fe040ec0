import { type ReactNode, useId } from "react"
import look from "./radio-cards.module.css"

type RadioCard<Value extends string> = {
  readonly value: Value
  readonly label: string
  /** A sentence about what choosing it means. */
  readonly words: ReactNode
  /** `strong`: things run by themselves afterwards. */
  readonly weight?: "usual" | "strong"
  /** Why it cannot be chosen. */
  readonly barred?: string | undefined
}

type RadioCardsProps<Value extends string> = {
  readonly legend: string
  readonly cards: readonly RadioCard<Value>[]
  readonly value: Value
  readonly onChoose: (value: Value) => void
}

/** One of a few ways, each explained where it is chosen. Choosing does nothing by itself. */
export function RadioCards<Value extends string>({
  legend,
  cards,
  value,
  onChoose,
}: RadioCardsProps<Value>): ReactNode {
  const name = useId()
  return (
    <fieldset className={look.cards}>
      <legend className={look.legend}>{legend}</legend>
      {cards.map((card) => (
        <label key={card.value} className={look.card} data-weight={card.weight ?? "usual"}>
          <input
            type="radio"
            name={name}
            value={card.value}
            checked={card.value === value}
            disabled={card.barred !== undefined}
            onChange={() => onChoose(card.value)}
          />
          <span>
            <span className={look.label}>{card.label}</span>
            <span className={look.words}>{card.words}</span>
            {card.barred !== undefined && <span className={look.barred}>{card.barred}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
