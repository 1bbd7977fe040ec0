import { type RefObject, useEffect, useRef } from "react"
import { type KeyFacts, type KeyMeaning, type KeyState, keyMeans } from "./key-means.ts"

/** Every card on the page that listens to keys. With several, a key means the one it was pressed in. */
const listening = new Set<RefObject<HTMLElement | null>>()

export type VerdictKeys = {
  /** The card's part of the page; fields in it are its own. */
  readonly place: RefObject<HTMLElement | null>
  readonly isOn: boolean
  readonly state: Omit<KeyState, "hasDialog">
  readonly onMeant: (meaning: Exclude<KeyMeaning, "nothing">) => void
}

/** Listens to the keys that answer the call shown here. */
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

/** A button that means another answer is a field like any other: with the focus on Deny, nothing says yes. */
const fields = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [data-answer="other"]'

function typedIn(target: EventTarget | null, place: HTMLElement | null): KeyFacts["typedIn"] {
  if (!(target instanceof Element) || target.closest(fields) === null) return "nowhere"
  const isOwn = place?.contains(target) === true && target.closest("[data-own-fields]") !== null
  return isOwn ? "own-field" : "other-field"
}

function hasDialog(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null
}
