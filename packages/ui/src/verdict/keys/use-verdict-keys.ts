import { type RefObject, useEffect, useRef } from "react"
import { type KeyFacts, type KeyMeaning, type KeyState, keyMeans } from "./key-means.ts"
import { hasDialog, typedIn } from "./where-typed.ts"

/** Every card on the page that listens to keys. With several, a key means the one it was pressed in. */
const listening = new Set<RefObject<HTMLElement | null>>()

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
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || !isMeantFor(place, event)) return
      const meaning = keyMeans(factsOf(event, place), { ...latest.current.state, hasDialog: hasDialog() })
      if (meaning === "nothing") return
      event.preventDefault()
      latest.current.onMeant(meaning)
    }
    listening.add(place)
    document.addEventListener("keydown", onKeyDown)
    return () => {
      listening.delete(place)
      document.removeEventListener("keydown", onKeyDown)
    }
  }, [place, isOn])
}

function isMeantFor(place: RefObject<HTMLElement | null>, event: KeyboardEvent): boolean {
  if (listening.size <= 1) return true
  return event.target instanceof Node && place.current?.contains(event.target) === true
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
