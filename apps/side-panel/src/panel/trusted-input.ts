/**
 * Only a person decides: input that a script made up reaches no control of the panel.
 *
 * I1. An event that the browser did not make itself is stopped before any part of the panel sees it.
 * I2. What a part of the panel does while it handles a person's own event goes through, such as a key that presses the item it stands on.
 */
const kinds = [
  "click",
  "dblclick",
  "keydown",
  "keyup",
  "keypress",
  "pointerdown",
  "pointerup",
  "mousedown",
  "mouseup",
  "submit",
]

export function admitTrustedInput(page: Window): void {
  let isTrusted = false
  for (const kind of kinds) {
    page.addEventListener(
      kind,
      (event) => {
        if (event.isTrusted) {
          isTrusted = true
          // After everything that handles this event.
          setTimeout(() => {
            isTrusted = false
          })
        } else if (!isTrusted) {
          event.stopImmediatePropagation()
          event.preventDefault()
        }
      },
      { capture: true },
    )
  }
}
