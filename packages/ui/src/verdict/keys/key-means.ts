/**
 * The meaning of a pressed key for the open call.
 *
 * I1. No key alone says yes: that takes Ctrl or Cmd with Enter.
 * I2. A key that comes before the card has been there, and meant by keys, for half a second decides nothing.
 * I3. No key says yes while Allow is held back.
 * I4. Esc decides nothing, whatever it is pressed with.
 * I5. A key held down, or pressed while a question stands before the page or an answer is on its way, decides nothing.
 * I6. A key typed into a field that is none of the card's own says neither yes nor no.
 * I7. With the focus on a button that means another answer, no key says yes; the question before a no opens as from anywhere.
 */
export type KeyFacts = {
  readonly key: string
  readonly ctrl: boolean
  readonly meta: boolean
  readonly shift: boolean
  readonly alt: boolean
  readonly isRepeat: boolean
  readonly isComposing: boolean
  /** Where it was typed: in a field of the card's own arguments, in another field, on a button that means another answer, or nowhere. */
  readonly typedIn: "own-field" | "other-field" | "other-answer" | "nowhere"
}

export type KeyState = {
  /** The card has just appeared or changed, or keys have meant another one until just now. */
  readonly isFresh: boolean
  readonly hasDialog: boolean
  /** Allow is held back, such as by a secret nobody has looked at. */
  readonly isBlocked: boolean
  readonly isSending: boolean
}

export type KeyMeaning = "allow-once" | "open-deny" | "nothing"

export function keyMeans(facts: KeyFacts, state: KeyState): KeyMeaning {
  if (facts.isRepeat || facts.isComposing || facts.alt || facts.shift) return "nothing"
  if (state.isFresh || state.hasDialog || state.isSending) return "nothing"
  if (facts.ctrl === facts.meta) return "nothing"
  if (facts.key === "Enter") {
    return state.isBlocked || !allowsFrom[facts.typedIn] ? "nothing" : "allow-once"
  }
  if (facts.key === "Backspace") return deletesWordIn[facts.typedIn] ? "nothing" : "open-deny"
  return "nothing"
}

const allowsFrom = {
  "own-field": true,
  "other-field": false,
  "other-answer": false,
  nowhere: true,
} as const satisfies Record<KeyFacts["typedIn"], boolean>

/** In a field Ctrl+Backspace deletes a word, as everywhere. */
const deletesWordIn = {
  "own-field": true,
  "other-field": true,
  "other-answer": false,
  nowhere: false,
} as const satisfies Record<KeyFacts["typedIn"], boolean>
