/**
 * The folds of a card, behind which parts of a call's arguments are hidden. Each fold says how much it hides; their number stands beside the
 * answers, since whoever presses one may not have scrolled to them.
 */
import { createContext, useContext, useEffect, useMemo, useState } from "react"
import { createFoldBudget, type FoldBudget } from "./fold-budget.ts"

export type Folds = Pick<FoldBudget, "closed">

export const FoldsContext = createContext<Folds | null>(null)

type AllFolds = {
  readonly folds: Folds
  /** How many are closed. */
  readonly closed: number
  /** Opens them all, or as many as a page can draw at once. */
  readonly openAll: () => void
  /** The label of the button that opens them: some may still be closed after the first press. */
  readonly openWords: string
}

/** For the card: the folds within it, how many are closed, and the way to open them. */
export function useFolds(): AllFolds {
  const [closed, setClosed] = useState(0)
  const [isBegun, setBegun] = useState(false)
  const folds = useMemo(() => createFoldBudget(setClosed), [])
  const openAll = (): void => {
    setBegun(true)
    folds.openSome()
  }
  return { folds, closed, openAll, openWords: isBegun ? "Show more" : "Expand all" }
}

/** Which of many things are drawn, and the buttons for the next ones and for the first ones alone. */
export type Steps = {
  readonly shown: number
  /** How many are not. */
  readonly rest: number
  /** How many the next press draws. */
  readonly next: number
  readonly onMore: () => void
  readonly onLess: () => void
}

type StepsOptions = {
  /** About how many lines one of them takes. */
  readonly linesOfEach?: number
  /** The hidden part stands nowhere else on the page. */
  readonly hides?: boolean
  /** Opening all folds draws one step of them, also where there is room for more. */
  readonly oneAPress?: boolean
}

/** The first ones, and with each press as many more as a page can draw at once: agents choose how many there are. */
export function useSteps(
  count: number,
  first: number,
  step: number,
  { linesOfEach = 1, hides = true, oneAPress = false }: StepsOptions = {},
): Steps {
  const closed = useContext(FoldsContext)?.closed
  const [{ more, wasOpen }, setOpened] = useState({ more: 0, wasOpen: false })
  const shown = Math.min(count, first + more * step)
  const rest = count - shown
  const next = Math.min(step, rest)
  const onMore = (): void => setOpened({ more: more + 1, wasOpen: oneAPress })
  useEffect(() => {
    if (rest === 0 || !hides) return
    // Each step is a fold of its own.
    const open = (): void => setOpened({ more: more + 1, wasOpen: oneAPress })
    return closed?.({ lines: next * linesOfEach, wasOpen, open })
  }, [rest, next, linesOfEach, hides, oneAPress, more, wasOpen, closed])
  return { shown, rest, next, onMore, onLess: () => setOpened({ more: 0, wasOpen: true }) }
}
