/**
 * The cards on a page that listen to keys, and the one that a key means: the only one, or with several the one that has the focus.
 *
 * I1. A card decides by no key before it has been the target for a while: a second press, made for the card before it, is not for this one.
 */

/** A card as far as keys are concerned. */
export type KeyCard = { readonly holds: (element: unknown) => boolean }

export type KeyTargets = {
  readonly add: (card: KeyCard, focused: unknown) => void
  readonly remove: (card: KeyCard, focused: unknown) => void
  /** Called with every move of the focus, and before each key. */
  readonly aim: (focused: unknown) => void
  /** `settling`: keys have begun to mean it only just now. */
  readonly stateOf: (card: KeyCard) => "target" | "settling" | "none"
}

export function createKeyTargets(settleMs: number): KeyTargets {
  const cards = new Set<KeyCard>()
  let target: KeyCard | null = null
  let isSettled = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const aim = (focused: unknown): void => {
    const [first = null] = cards
    const next = cards.size <= 1 ? first : ([...cards].find((card) => card.holds(focused)) ?? null)
    if (next === target) return
    target = next
    isSettled = false
    clearTimeout(timer)
    if (next !== null) timer = setTimeout(() => (isSettled = true), settleMs)
  }
  return {
    add: (card, focused) => {
      cards.add(card)
      aim(focused)
    },
    remove: (card, focused) => {
      cards.delete(card)
      aim(focused)
    },
    aim,
    stateOf: (card) => (card !== target ? "none" : isSettled ? "target" : "settling"),
  }
}
