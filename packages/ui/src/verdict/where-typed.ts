import type { KeyFacts } from "./key-means.ts"

/** A button that means another answer is a field like any other: with the focus on Deny, nothing says yes. */
const fields = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [data-answer="other"]'

/** `place`: the card's part of the page; fields in it are its own. */
export function typedIn(target: EventTarget | null, place: HTMLElement | null): KeyFacts["typedIn"] {
  if (!(target instanceof Element) || target.closest(fields) === null) return "nowhere"
  const isOwn = place?.contains(target) === true && target.closest("[data-own-fields]") !== null
  return isOwn ? "own-field" : "other-field"
}

/** A question or a menu stands before the page. */
export function hasDialog(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null
}
