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

export type StepsOptions = { readonly hides?: boolean; readonly openedHere?: number | undefined }

/**
 * The first ones, and with each press as many more as a page can draw at once: agents choose how many there are. `hides`: what is not drawn
 * stands nowhere else. `openedHere`: how many steps of it are open because all folds were opened; absent: one each time.
 */
export function useSteps(
  count: number,
  first: number,
  step: number,
  { hides = true, openedHere }: StepsOptions = {},
): Steps {
  const folds = useContext(FoldsContext)
  const given = openedHere ?? folds?.opened ?? 0
  const [opened, setOpened] = useState(given)
  // What is open stays open, also when others before it take the room.
  if (given > opened) setOpened(given)
  const [pressed, setPressed] = useState({ more: 0, since: 0 })
  const shown = Math.min(count, first + (pressed.more + opened - pressed.since) * step)
  const closed = folds?.closed
  const isCut = hides && shown < count
  useEffect(() => (isCut ? closed?.() : undefined), [isCut, closed])
  return {
    shown,
    rest: count - shown,
    next: Math.min(step, count - shown),
    onMore: () => setPressed({ ...pressed, more: pressed.more + 1 }),
    onLess: () => setPressed({ more: 0, since: opened }),
  }
}
