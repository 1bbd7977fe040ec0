import { useEffect, useMemo, useRef, useState } from "react"
import { useUndoSetting } from "../../../data/undo-setting.ts"
import { createUndoWindow, undoMs } from "./undo-window.ts"

/** An answer that is not sent yet, and until when it can be taken back. */
export type Unsent<Answer> = { readonly answer: Answer; readonly until: number }

type Undoable<Answer> = {
  readonly unsent: ReadonlyMap<string, Unsent<Answer>>
  /** Sends the answer after the delay, or at once where the delay is turned off. */
  readonly give: (key: string, answer: Answer) => void
  readonly takeBack: (key: string) => void
}

/**
 * Answers that can be taken back before they are sent. Whoever goes on to another page has them sent at once; closing or reloading the tab
 * sends nothing, and the browser asks first.
 */
export function useUndoWindow<Answer>(send: (key: string, answer: Answer) => void): Undoable<Answer> {
  const [isOn] = useUndoSetting()
  const [unsent, setUnsent] = useState<ReadonlyMap<string, Unsent<Answer>>>(new Map())
  const latest = useRef(send)
  useEffect(() => {
    latest.current = send
  })
  const answers = useMemo(() => {
    return createUndoWindow<Answer>((key, answer) => {
      setUnsent((before) => without(before, key))
      latest.current(key, answer)
    })
  }, [])
  useEffect(() => answers.sendAll, [answers])
  useAskBeforeClosing(unsent.size > 0)
  return {
    unsent,
    give: (key, answer) => {
      if (!isOn) return send(key, answer)
      if (answers.hold(key, answer)) {
        setUnsent((before) => new Map(before).set(key, { answer, until: Date.now() + undoMs }))
      }
    },
    takeBack: (key) => {
      if (answers.takeBack(key) !== null) setUnsent((before) => without(before, key))
    },
  }
}

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  const rest = new Map(map)
  rest.delete(key)
  return rest
}

/** The browser asks before the tab is closed, reloaded or taken elsewhere: what is not sent, or on its way, would be lost. */
export function useAskBeforeClosing(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener("beforeunload", ask)
    return () => window.removeEventListener("beforeunload", ask)
  }, [isOn])
}
