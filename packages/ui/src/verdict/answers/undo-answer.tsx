import { Undo2 } from "lucide-react"
import { type ReactNode, useEffect, useRef } from "react"
import { Button } from "../../parts/button.tsx"
import { useNow } from "../../parts/time.tsx"
import { ignoreHeldDown } from "../deny/deny-dialog.tsx"
import type { GivenVerdict } from "../verdict.ts"
import look from "./undo-answer.module.css"

export type UndoAnswerProps = {
  readonly verdict: { readonly kind: GivenVerdict["kind"]; readonly until: number }
  /** How many calls the answer is for. */
  readonly calls?: number
  /** How many of them are denied, where others are allowed. */
  readonly denied?: number
  readonly onUndo: () => void
}

/** Stands in place of the answers until one is sent. It has the focus, so that Enter or a click takes the answer back. */
export function UndoAnswer({ verdict: { kind, until }, calls = 1, denied = 0, onUndo }: UndoAnswerProps): ReactNode {
  const seconds = Math.min(3, Math.max(1, Math.ceil((until - useNow()) / 1_000)))
  const button = useRef<HTMLButtonElement | null>(null)
  useEffect(() => button.current?.focus({ preventScroll: true }), [])
  useUndoKey(onUndo)
  const doing =
    denied > 0 && denied < calls
      ? `Allowing ${calls - denied} and denying ${denied}`
      : `${kind === "approve" ? "Allowing" : "Denying"} ${calls === 1 ? "this call" : `${calls} calls`}`
  return (
    <div className={look.unsent} data-kind={kind}>
      <p className={look.words}>
        <strong>
          {doing} in {seconds} s
        </strong>{" "}
        Not sent yet. Closing or reloading this tab cancels it.
      </p>
      <Button
        ref={button}
        icon={<Undo2 />}
        onKeyDown={ignoreHeldDown}
        // The second click of a double click was meant for the button that stood here before.
        onClick={(event) => event.detail <= 1 && onUndo()}
      >
        Undo ({seconds} s)
      </Button>
    </div>
  )
}

/** Ctrl+Z or Cmd+Z takes it back, too, wherever the focus is. */
function useUndoKey(onUndo: () => void): void {
  const latest = useRef(onUndo)
  useEffect(() => {
    latest.current = onUndo
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== "z" || event.ctrlKey === event.metaKey || event.shiftKey || event.altKey || event.repeat) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener("keydown", onKeyDown)
    return () => document.removeEventListener("keydown", onKeyDown)
  }, [])
}
