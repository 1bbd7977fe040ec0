import type { RefObject } from "react"
import { usePageKeys } from "../../shell/use-page-key.ts"
import { fileBeside, fileMeant } from "./review-place.ts"

type ReviewKeys = {
  readonly place: RefObject<HTMLElement | null>
  /** The call that had the focus last. */
  readonly at: string | null
  readonly onAnswer: (callId: string, answer: "allow" | "deny") => void
  readonly onSend: () => void
}

/** The keys of a review. They mark and move; none of them sends anything. */
export function useReviewKeys({ place, at, onAnswer, onSend }: ReviewKeys): void {
  const meant = (target: EventTarget | null): string | null =>
    fileMeant({ focused: idOf(panelAt(target)), hasFocus: hasFocus(), last: at })
  usePageKeys((key, event) => {
    switch (key) {
      case "j":
      case "k":
        return movedFile(panels(place.current), meant(document.activeElement), key === "j" ? 1 : -1)
      case "a":
      case "d": {
        const id = meant(event.target)
        if (id !== null) onAnswer(id, key === "a" ? "allow" : "deny")
        return id !== null
      }
      case "c":
        return pressed(lineAt(event.target)?.querySelector<HTMLElement>("[data-comments]"))
      case "ArrowDown":
      case "ArrowUp":
        return lineAt(event.target) !== null && moved(lines(event.target), key === "ArrowDown" ? 1 : -1)
      case "s":
        onSend()
        return true
      default:
        return false
    }
  })
}

function panels(place: HTMLElement | null): readonly HTMLElement[] {
  return [...(place?.querySelectorAll<HTMLElement>("[data-call]") ?? [])]
}

function panelAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-call]") : null
}

function lineAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-line]") : null
}

function lines(target: EventTarget | null): readonly HTMLElement[] {
  return [...(panelAt(target)?.querySelectorAll<HTMLElement>("[data-line]") ?? [])]
}

/** Something on the page has the focus. */
function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body
}

function idOf(panel: HTMLElement | null): string | null {
  return panel?.dataset.call ?? null
}

/** To the next of them after the one with the focus; the first where none has it. */
function moved(all: readonly HTMLElement[], step: 1 | -1): boolean {
  const at = all.findIndex((each) => each.contains(document.activeElement))
  return wentTo(all[at === -1 ? 0 : at + step])
}

function movedFile(all: readonly HTMLElement[], at: string | null, step: 1 | -1): boolean {
  const next = fileBeside(
    all.map((panel) => panel.dataset.call ?? ""),
    at,
    step,
  )
  return wentTo(all.find(({ dataset }) => dataset.call === next))
}

function wentTo(next: HTMLElement | undefined): boolean {
  next?.scrollIntoView({ block: next.dataset.line === undefined ? "start" : "nearest" })
  next?.focus({ preventScroll: true })
  return next !== undefined
}

function pressed(button: HTMLElement | null | undefined): boolean {
  button?.click()
  return button !== null && button !== undefined
}
