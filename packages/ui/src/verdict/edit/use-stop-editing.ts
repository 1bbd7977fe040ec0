import { type RefObject, useEffect, useRef, useState } from "react"
import { hasDialog } from "../keys/where-typed.ts"
import type { ArgumentEdit, EditPlace } from "./use-argument-edit.ts"

export type StopEditing = {
  /** Whether to ask before what was changed is lost. */
  readonly isAsking: boolean
  readonly keep: () => void
  readonly drop: () => void
}

/** Esc while arguments are edited closes the editor, and asks where something would be lost. It decides nothing about the call. */
export function useStopEditing(
  edit: ArgumentEdit,
  isSending: boolean,
  place: RefObject<HTMLElement | null>,
): StopEditing {
  // An answer on its way cannot be dropped any more.
  const isOn = edit.isOpen && !isSending
  const [isAsking, setAsking] = useState(false)
  const onEscape = useRef(edit.stop)
  useEffect(() => {
    onEscape.current = () => (edit.isTyped ? setAsking(true) : edit.stop())
  })
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.isComposing || hasDialog() || isElsewhere(event.target, place.current)) return
      event.preventDefault()
      // Nor does the question it brings up take it for an answer.
      event.stopPropagation()
      onEscape.current()
    }
    // Before anybody else, who would close the whole card.
    document.addEventListener("keydown", onKeyDown, { capture: true })
    return () => document.removeEventListener("keydown", onKeyDown, { capture: true })
  }, [isOn, place])
  useFocusBack(edit.place, place)
  return {
    isAsking: isAsking && isOn,
    keep: () => setAsking(false),
    drop: () => {
      setAsking(false)
      edit.stop()
    },
  }
}

/** A field of the page around the card has an Esc of its own. */
function isElsewhere(target: EventTarget | null, place: HTMLElement | null): boolean {
  if (!(target instanceof Element) || target.closest("input, textarea, select") === null) return false
  const isInPlace = target.closest("[data-own-fields]") !== null && place?.closest("article")?.contains(target) === true
  return place?.contains(target) !== true && !isInPlace
}

/** When the editor goes, the focus in it does not go to nowhere. Of the buttons that open it, one is in sight. A box in the card gives it back itself. */
function useFocusBack(now: EditPlace, place: RefObject<HTMLElement | null>): void {
  const was = useRef(now)
  useEffect(() => {
    const hasClosed = now === "nowhere" && (was.current === "form" || was.current === "shown")
    was.current = now
    if (!hasClosed) return
    for (const button of place.current?.querySelectorAll<HTMLElement>("[data-starts-editing]") ?? []) button.focus()
  }, [now, place])
}
