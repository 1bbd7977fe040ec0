/**
 * Dialogs and fields take the focus, or scroll to themselves, as they appear. There are many of them here, so none does before somebody has pressed
 * something in the frame.
 */
export function stayUntilUsed(): void {
  let isUsed = false
  for (const kind of ["pointerdown", "keydown"] as const) {
    const use = (): void => {
      isUsed = true
    }
    addEventListener(kind, use, { capture: true, once: true })
  }
  const { focus, scrollIntoView } = HTMLElement.prototype
  HTMLElement.prototype.focus = function (this: HTMLElement, options?: FocusOptions): void {
    if (isUsed) focus.call(this, options)
  }
  HTMLElement.prototype.scrollIntoView = function (this: HTMLElement, options?: boolean | ScrollIntoViewOptions) {
    if (isUsed) scrollIntoView.call(this, options)
  }
}
