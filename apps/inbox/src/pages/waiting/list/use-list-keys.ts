import type { RefObject } from "react"
import { usePageKeys } from "../../../shell/use-page-key.ts"
import { stepped } from "./neighbour.ts"

type ListKeys = {
  readonly ids: readonly string[]
  /** Those in folded groups as well. */
  readonly order: readonly string[]
  readonly at: string | null
  readonly openId: string | null
  readonly onAt: (id: string) => void
  readonly onOpen: (id: string) => void
  readonly onTick: (id: string) => void
  readonly onFold: (id: string) => void
  readonly onClose: () => void
  readonly search: RefObject<HTMLInputElement | null>
}

/** The keys of the list. None of them decides anything. */
export function useListKeys(keys: ListKeys): void {
  const { ids, order, at, openId, onAt, onOpen, onTick, onFold, onClose, search } = keys
  usePageKeys((key, event) => {
    switch (key) {
      case "j":
      case "k":
        return move(key === "j" ? 1 : -1)
      case "ArrowDown":
      case "ArrowUp":
        return isInList(event.target) && move(key === "ArrowDown" ? 1 : -1)
      case "Enter":
        if (at === null || !isNobodys(event.target)) return false
        onOpen(at)
        return true
      case "x":
        if (at === null || !ids.includes(at)) return false
        onTick(at)
        return true
      case "f":
        if (at === null || !order.includes(at)) return false
        onFold(at)
        return true
      case "/":
        search.current?.focus()
        search.current?.select()
        return true
      case "Escape":
        return leave(event.target)
      default:
        return false
    }
  })
  const move = (step: 1 | -1): boolean => {
    const next = stepped(ids, at, step, order)
    if (next !== null) onAt(next)
    return next !== null
  }
  const leave = (target: EventTarget | null): boolean => {
    if (target instanceof HTMLElement && target === search.current) target.blur()
    else if (openId !== null) onClose()
    else return false
    return true
  }
}

function isInList(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-approval], [data-fold]") !== null
}

/** Enter on a button or link is that button's own. */
function isNobodys(target: EventTarget | null): boolean {
  return !(target instanceof Element) || target.closest("button, a, summary, label") === null
}
