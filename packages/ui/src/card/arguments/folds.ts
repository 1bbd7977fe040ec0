/**
 * What of a call's arguments is folded away on its card. Each fold says how much it hides; together they are told of beside the answers, since
 * whoever presses one may not have scrolled to them.
 */
import { createContext, useContext, useEffect, useMemo, useRef, useState } from "react"
import { createFoldBudget, type FoldBudget } from "./fold-budget.ts"

export type Folds = Pick<FoldBudget, "closed">

export const FoldsContext = createContext<Folds | null>(null)

type AllFolds = {
  readonly folds: Folds
  /** How many are closed. */
  readonly closed: number
  /** Opens them all, or as many as a page can draw at once. */
  readonly openAll: () => void
  /** What to press for it: some may still be closed after the first time. */
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

/** Whether a fold is open. `hides`: closed, it keeps so many lines from sight that stand nowhere else; 0: nothing. */
export function useFold(hides: number, startsOpen = false): readonly [boolean, (isOpen: boolean) => void] {
  const closed = useContext(FoldsContext)?.closed
  const [isOpen, setOpen] = useState(startsOpen)
  const wasOpen = useRef(startsOpen)
  useEffect(() => {
    if (hides === 0 || isOpen) return
    return closed?.({
      lines: hides,
      wasOpen: wasOpen.current,
      open: () => {
        wasOpen.current = true
        setOpen(true)
      },
    })
  }, [hides, isOpen, closed])
  const toggle = (opens: boolean): void => {
    wasOpen.current = true
    setOpen(opens)
  }
  return [isOpen, toggle]
}

/** Which of many things are drawn, and the button for the next ones. */
export type Steps = {
  readonly shown: number
  /** How many are not. */
  readonly rest: number
  /** How many the next press draws. */
  readonly next: number
  readonly onMore: () => void
}

/**
 * The first ones, and with each press as many more as a page can draw at once: agents choose how many there are. `linesOfEach`: about how much
 * one of them takes.
 */
export function useSteps(count: number, first: number, step: number, linesOfEach = 1): Steps {
  const closed = useContext(FoldsContext)?.closed
  const [more, setMore] = useState(0)
  const shown = Math.min(count, first + more * step)
  const rest = count - shown
  const next = Math.min(step, rest)
  useEffect(() => {
    if (rest === 0) return
    // Each step is a fold of its own, and nobody closes one.
    return closed?.({ lines: next * linesOfEach, wasOpen: false, open: () => setMore(more + 1) })
  }, [rest, next, linesOfEach, more, closed])
  return { shown, rest, next, onMore: () => setMore(more + 1) }
}
