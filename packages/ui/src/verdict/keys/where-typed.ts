import type { KeyFacts } from "./key-means.ts"

const fields = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])'

/** `place`: the card's part of the page; fields in it are its own. */
export function typedIn(target: EventTarget | null, place: HTMLElement | null): KeyFacts["typedIn"] {
  if (!(target instanceof Element)) return "nowhere"
  if (target.closest('[data-answer="other"]') !== null) return "other-answer"
  if (target.closest(fields) === null) return "nowhere"
  const isOwn = place?.contains(target) === true && target.closest("[data-own-fields]") !== null
  return isOwn ? "own-field" : "other-field"
}

/** A question or a menu stands before the page. */
export function hasDialog(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null
}
