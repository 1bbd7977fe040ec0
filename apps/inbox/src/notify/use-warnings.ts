import { useEffect, useRef, useState } from "react"
import { useLive, useWaitingCalls } from "../data/live/live.tsx"
import type { WaitingCall } from "../data/live/waiting-table.ts"
import { beep } from "./beep.ts"
import { dueWarnings, warningOf } from "./due-warnings.ts"
import { endingWords } from "./notice-words.ts"
import type { NotifySettings } from "./notify-settings.ts"
import { isThisTelling } from "./open-tabs.ts"
import { closeNotification, showNotification } from "./show-notification.ts"

const lookMs = 5_000

/** Calls that end within a minute unless somebody answers. Looked for now and then: ten thousand calls are not counted down one by one. */
export function useWarnings(settings: NotifySettings): readonly WaitingCall[] {
  const { book } = useLive()
  const { calls } = useWaitingCalls()
  const warned = useRef(new Set<string>())
  const [ending, setEnding] = useState<readonly WaitingCall[]>([])
  const { expiry } = settings
  const latest = useRef(settings)
  useEffect(() => {
    latest.current = settings
  })
  useEffect(() => {
    if (!expiry) return
    const look = (): void => {
      const due = dueWarnings(book.view().calls, warned.current, Date.now())
      if (due.length === 0) return
      for (const call of due) warned.current.add(warningOf(call))
      setEnding((before) => [...before, ...due])
      warnAway(due, latest.current)
    }
    const timer = setInterval(look, lookMs)
    return () => clearInterval(timer)
  }, [book, expiry])
  useEffect(() => {
    if (ending.length === 0) return closeNotification("ending")
    const open = new Set(calls.map(warningOf))
    if (!ending.every((call) => open.has(warningOf(call)))) {
      setEnding((before) => before.filter((call) => open.has(warningOf(call))))
    }
  }, [calls, ending])
  return expiry ? ending : []
}

function warnAway(due: readonly WaitingCall[], { notifications, sound }: NotifySettings): void {
  const words = endingWords(due)
  if (!isThisTelling() || words === null) return
  if (notifications) void showNotification(words, "ending")
  if (sound) void beep()
}
