import type { ReactNode } from "react"
import { exactTime } from "../../words/time-words.ts"
import look from "./chat-thread.module.css"

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })

/** When something was said. */
export function MessageClock({ at }: { readonly at: number }): ReactNode {
  return (
    <time className={look.when} dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {clock.format(at)}
    </time>
  )
}
