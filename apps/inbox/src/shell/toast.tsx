import { Button } from "@byleave/ui"
import { Check, X } from "lucide-react"
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react"
import look from "./toast.module.css"

export type Toast = {
  readonly title: string
  readonly words?: string
  /** Takes back what it tells of. Gives what went wrong, or null when it was taken back. */
  readonly undo?: () => Promise<string | null>
}

type Shown = Toast & { readonly turn: number }

const Say = createContext<(toast: Toast) => void>(() => undefined)

/** Tells of something that was just done, at the foot of the page, without taking the focus. */
export function useToast(): (toast: Toast) => void {
  return useContext(Say)
}

/** With Undo, long enough to read and to reach; what it tells of can be taken back elsewhere, too. */
const shownMs = { withUndo: 12_000, plain: 4_000 } as const

export function ToastProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [shown, setShown] = useState<Shown | null>(null)
  const say = useMemo(() => {
    let turn = 0
    return (toast: Toast): void => {
      turn += 1
      setShown({ ...toast, turn })
    }
  }, [])
  return (
    <Say.Provider value={say}>
      {children}
      <div className={look.place} role="status">
        {shown !== null && <ToastCard key={shown.turn} toast={shown} onClose={() => setShown(null)} />}
      </div>
    </Say.Provider>
  )
}

type Undoing = "not" | "busy" | "done" | { readonly problem: string }

function ToastCard({ toast, onClose }: { readonly toast: Toast; readonly onClose: () => void }): ReactNode {
  const [isHeld, setHeld] = useState(false)
  const [undoing, setUndoing] = useState<Undoing>("not")
  const { undo } = toast
  const stays = undo === undefined ? shownMs.plain : shownMs.withUndo
  useEffect(() => {
    if (isHeld || undoing === "busy") return
    const timer = setTimeout(onClose, stays)
    return () => clearTimeout(timer)
  }, [isHeld, undoing, stays, onClose])
  const takeBack = async (): Promise<void> => {
    if (undo === undefined) return
    setUndoing("busy")
    const problem = await undo()
    setUndoing(problem === null ? "done" : { problem })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only stays while somebody is at it
    <div
      className={look.toast}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Check aria-hidden="true" />
      <div className={look.words}>
        <p className={look.title}>{undoing === "done" ? "Undone" : toast.title}</p>
        {undoing !== "done" && toast.words !== undefined && <p>{toast.words}</p>}
        {typeof undoing === "object" && <p className={look.problem}>{undoing.problem}</p>}
      </div>
      {undo !== undefined && undoing !== "done" && (
        <span className={look.undo}>
          <Button size="small" busy={undoing === "busy" && "Undoing…"} onClick={() => void takeBack()}>
            Undo
          </Button>
        </span>
      )}
      <Button size="small" tone="quiet" aria-label="Dismiss" icon={<X />} onClick={onClose} />
    </div>
  )
}
