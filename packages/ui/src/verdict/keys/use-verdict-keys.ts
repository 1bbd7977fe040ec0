import { type RefObject, useEffect, useRef } from "react"
import { type KeyFacts, type KeyMeaning, type KeyState, keyMeans } from "./key-means.ts"
import { createKeyTargets, type KeyCard } from "./key-targets.ts"
import { hasDialog, typedIn } from "./where-typed.ts"

/** How long nothing is answered by what has only just come under somebody's finger. */
export const settleMs = 500

const targets = createKeyTargets(settleMs)

export type VerdictKeys = {
  /** The card's part of the page; fields in it are its own. */
  readonly place: RefObject<HTMLElement | null>
  readonly isOn: boolean
  readonly state: Omit<KeyState, "hasDialog">
  readonly onMeant: (meaning: Exclude<KeyMeaning, "nothing">) => void
}

export function useVerdictKeys(keys: VerdictKeys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  const { place, isOn } = keys
  useEffect(() => {
    if (!isOn) return
    const card: KeyCard = { holds: (element) => element instanceof Node && place.current?.contains(element) === true }
    const onFocus = (event: FocusEvent): void => targets.aim(event.target)
    const onKeyDown = (event: KeyboardEvent): void => {
      targets.aim(event.target)
      const aimed = targets.stateOf(card)
      if (event.defaultPrevented || aimed === "none") return
      const { isFresh, ...state } = latest.current.state
      const meaning = keyMeans(factsOf(event, place), {
        ...state,
        isFresh: isFresh || aimed === "settling",
        hasDialog: hasDialog(),
      })
      if (meaning === "nothing") return
      event.preventDefault()
      latest.current.onMeant(meaning)
    }
    targets.add(card, document.activeElement)
    document.addEventListener("focusin", onFocus)
    document.addEventListener("keydown", onKeyDown)
    return () => {
      targets.remove(card, document.activeElement)
      document.removeEventListener("focusin", onFocus)
      document.removeEventListener("keydown", onKeyDown)
    }
  }, [place, isOn])
}

function factsOf(event: KeyboardEvent, place: RefObject<HTMLElement | null>): KeyFacts {
  return {
    key: event.key,
    ctrl: event.ctrlKey,
    meta: event.metaKey,
    shift: event.shiftKey,
    alt: event.altKey,
    isRepeat: event.repeat,
    isComposing: event.isComposing,
    typedIn: typedIn(event.target, place.current),
  }
}
