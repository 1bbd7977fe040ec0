/**
 * The folds of a page, of which one press opens so many that the page can draw them at once: agents choose how many there are, and how much
 * is in them.
 *
 * I1. One press opens folds, in their order, until what they hold reaches `most` lines.
 * I2. What appears within them is opened by the same press as long as that is not reached.
 * I3. A fold that somebody closed stays closed until the next press, and so does one of which that press has opened its step.
 */
export type ClosedFold = {
  /** About how many lines it would draw. */
  readonly lines: number
  readonly open: () => void
  /** Only the next press opens it: somebody closed it, or of what it is part of this press has opened enough. */
  readonly wasOpen: boolean
}

export type FoldBudget = {
  /** Counts a fold as closed until what it gives is called. */
  readonly closed: (fold: ClosedFold) => () => void
  readonly openSome: () => void
}

export function createFoldBudget(onCount: (closed: number) => void, most = linesAtOnce): FoldBudget {
  const folds = new Set<ClosedFold>()
  let left = 0
  const open = (fold: ClosedFold): void => {
    left -= fold.lines
    fold.open()
  }
  return {
    closed: (fold) => {
      folds.add(fold)
      onCount(folds.size)
      if (left > 0 && !fold.wasOpen) open(fold)
      return () => {
        folds.delete(fold)
        onCount(folds.size)
      }
    },
    openSome: () => {
      left = most
      for (const fold of [...folds]) {
        if (left <= 0) return
        open(fold)
      }
    },
  }
}

const linesAtOnce = 5_000
