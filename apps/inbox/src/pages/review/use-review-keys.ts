import type { RefObject } from "react"
import { usePageKeys } from "../../shell/use-page-key.ts"

type ReviewKeys = {
  readonly place: RefObject<HTMLElement | null>
  readonly onAnswer: (callId: string, answer: "allow" | "deny") => void
  readonly onSend: () => void
}

/** The keys of a review. They mark and move; none of them sends anything. */
export function useReviewKeys({ place, onAnswer, onSend }: ReviewKeys): void {
  usePageKeys((key, event) => {
    switch (key) {
      case "j":
      case "k":
        return moved(panels(place.current), key === "j" ? 1 : -1)
      case "a":
      case "d": {
        const id = panelAt(event.target)?.dataset.call
        if (id !== undefined) onAnswer(id, key === "a" ? "allow" : "deny")
        return id !== undefined
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

/** To the next of them after the one with the focus; the first where none has it. */
function moved(all: readonly HTMLElement[], step: 1 | -1): boolean {
  const at = all.findIndex((each) => each.contains(document.activeElement))
  const next = all[at === -1 ? 0 : at + step]
  next?.scrollIntoView({ block: next.dataset.line === undefined ? "start" : "nearest" })
  next?.focus({ preventScroll: true })
  return next !== undefined
}

function pressed(button: HTMLElement | null | undefined): boolean {
  button?.click()
  return button !== null && button !== undefined
}
