/**
 * What of a call's arguments is folded away on its card. Each fold says how much it hides; together they are told of beside the answers, since
 * whoever presses one may not have scrolled to them.
 */
import { createContext, useCallback, useContext, useEffect, useMemo, useState } from "react"

export type Folds = {
  /** How often all of them were opened at once. */
  readonly opened: number
  /** Counts a fold as closed until what it gives is called. */
  readonly closed: () => () => void
}

export const FoldsContext = createContext<Folds | null>(null)

/** For the card: the folds within it, how many are closed, and the way to open all. */
export function useFolds(): { readonly folds: Folds; readonly closed: number; readonly openAll: () => void } {
  const [opened, setOpened] = useState(0)
  const [closed, setClosed] = useState(0)
  const count = useCallback(() => {
    setClosed((before) => before + 1)
    return () => setClosed((before) => before - 1)
  }, [])
  const folds = useMemo(() => ({ opened, closed: count }), [opened, count])
  return { folds, closed, openAll: () => setOpened(opened + 1) }
}

/** Whether a fold is open. `hides`: closed, it keeps something from sight that stands nowhere else. */
export function useFold(hides: boolean, startsOpen = false): readonly [boolean, (isOpen: boolean) => void] {
  const folds = useContext(FoldsContext)
  const opened = folds?.opened ?? 0
  const [isOpen, setOpen] = useState(startsOpen || opened > 0)
  useEffect(() => {
    if (opened > 0) setOpen(true)
  }, [opened])
  const closed = folds?.closed
  useEffect(() => (hides && !isOpen ? closed?.() : undefined), [hides, isOpen, closed])
  return [isOpen, setOpen]
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

/** The first ones, and with each press as many more as a page can draw at once: agents choose how many there are. */
export function useSteps(count: number, first: number, step: number): Steps {
  const folds = useContext(FoldsContext)
  const [more, setMore] = useState(0)
  const shown = Math.min(count, first + (more + (folds?.opened ?? 0)) * step)
  const closed = folds?.closed
  const hides = shown < count
  useEffect(() => (hides ? closed?.() : undefined), [hides, closed])
  return { shown, rest: count - shown, next: Math.min(step, count - shown), onMore: () => setMore(more + 1) }
}
