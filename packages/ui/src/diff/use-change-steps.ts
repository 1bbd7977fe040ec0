import { type RefObject, useEffect, useRef, useState } from "react"
import { hasDialog, typedIn } from "../verdict/keys/where-typed.ts"
import { nextPlace } from "./change-places.ts"

export type ChangeSteps = {
  readonly step: (by: 1 | -1) => void
  /** `Change 2 of 7`, once somebody has gone to one. */
  readonly words: string
}

/** Goes from one changed place to the next within an element, by `n` and `p` or by buttons. */
export function useChangeSteps(place: RefObject<HTMLElement | null>, isOn: boolean): ChangeSteps {
  const at = useRef<Element | null>(null)
  const [words, setWords] = useState("")
  const step = (by: 1 | -1): void => {
    const changes = [...(place.current?.querySelectorAll<HTMLElement>("[data-change]") ?? [])]
    const next = nextPlace(changes.length, whereAmI(changes, place.current, at.current), by)
    const change = next === null ? undefined : changes[next]
    if (next === null || change === undefined) {
      if (by === 1 && openMore(place.current)) requestAnimationFrame(() => step(by))
      else
        setWords(
          changes.length === 0
            ? "No changes to go to"
            : by === 1
              ? "This is the last change"
              : "This is the first change",
        )
      return
    }
    at.current = change
    goToLine(change)
    setWords(`Change ${next + 1} of ${changes.length}`)
  }
  const latest = useRef(step)
  useEffect(() => {
    latest.current = step
  })
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, target } = event
      if ((key !== "n" && key !== "p") || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.defaultPrevented || event.isComposing || hasDialog() || typedIn(target, null) === "other-field") return
      event.preventDefault()
      latest.current(key === "n" ? 1 : -1)
    }
    document.addEventListener("keydown", onKeyDown)
    return () => document.removeEventListener("keydown", onKeyDown)
  }, [isOn])
  return { step, words }
}

/** Where the focus is counts before the change that was gone to last: somebody may have gone elsewhere. */
function whereAmI(changes: readonly Element[], place: Element | null, last: Element | null): number | null {
  const { activeElement } = document
  const focused = activeElement !== null && place?.contains(activeElement) === true ? activeElement : null
  const from = focused ?? (last?.isConnected === true ? last : null)
  if (from === null) return null
  const own = changes.indexOf(from)
  if (own >= 0) return own
  const before = changes.filter((change) => isBefore(change, from)).length - 1
  return before < 0 ? null : before
}

function isBefore(one: Element, other: Element): boolean {
  return (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}

/** Shows lines that are held back for their number; false where there are none. */
function openMore(place: HTMLElement | null): boolean {
  const button = place?.querySelector<HTMLElement>('[data-more-lines="true"] button')
  button?.click()
  return button !== null && button !== undefined
}

/** Brings a line into sight and gives it the focus, so that keys go on from there. */
export function goToLine(line: HTMLElement): void {
  line.scrollIntoView({ block: "center" })
  line.focus({ preventScroll: true })
}
