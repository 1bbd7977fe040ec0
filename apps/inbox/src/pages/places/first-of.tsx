import { Button } from "@byleave/ui"
import { Fragment, type ReactNode, useState } from "react"
import look from "./first-of.module.css"

type FirstOfProps<Item> = {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** Draws one of them, as a list item. */
  readonly children: (item: Item) => ReactNode
}

const atOnce = 100

/** The first of many items of a list, and the rest when somebody wants it: thousands at once would make the page slow. */
export function FirstOf<Item>({ items, keyOf, children }: FirstOfProps<Item>): ReactNode {
  const [shown, setShown] = useState(atOnce)
  const left = items.length - shown
  return (
    <>
      {items.slice(0, shown).map((item) => (
        <Fragment key={keyOf(item)}>{children(item)}</Fragment>
      ))}
      {left > 0 && (
        <li className={look.more}>
          <Button size="small" tone="quiet" onClick={() => setShown(shown + atOnce)}>
            Show {Math.min(left, atOnce)} more of {left.toLocaleString("en")}
          </Button>
        </li>
      )}
    </>
  )
}
