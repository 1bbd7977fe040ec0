import type { ApprovalSummaryView } from "@byleave/api"
import { showText } from "@byleave/core"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { calledText } from "../../card/head/ask-words.ts"
import { type ChatMessage, newestWords } from "./chat-messages.ts"

type AnnouncerProps = {
  readonly messages: readonly ChatMessage[]
  readonly waiting: readonly ApprovalSummaryView[]
  /** Earlier messages have been read: only those that come from now on are announced. */
  readonly isReady: boolean
  /** A sentence on what somebody has just done here; empty: nothing. */
  readonly done?: string
}

const longest = 400

/** For screen readers: new text of a reply once it is complete, and each call that begins to wait, once. */
export function Announcer({ messages, waiting, isReady, done = "" }: AnnouncerProps): ReactNode {
  const words = newestWords(messages)
  const said = useRef<string | null>(null)
  const told = useRef(new Set<string>())
  const [polite, setPolite] = useState("")
  const [urgent, setUrgent] = useState("")
  useEffect(() => {
    if (!isReady) return
    if (said.current === null) {
      said.current = words
      return
    }
    if (words === "" || words === said.current) return
    said.current = words
    setPolite(showText(words.slice(0, longest)))
  }, [words, isReady])
  useEffect(() => {
    const arrived = waiting.filter(({ id }) => !told.current.has(id))
    for (const { id } of arrived) told.current.add(id)
    if (arrived.length > 0) setUrgent(arrivalWords(arrived))
  }, [waiting])
  useEffect(() => {
    if (done !== "") setPolite(done)
  }, [done])
  return (
    <>
      <p className="only-read-aloud" role="status">
        {polite}
      </p>
      <p className="only-read-aloud" role="alert">
        {urgent}
      </p>
    </>
  )
}

function arrivalWords(arrived: readonly ApprovalSummaryView[]): string {
  const names = arrived.map((call) => showText(calledText(call))).join(", ")
  return arrived.length === 1
    ? `${names} needs your approval.`
    : `${arrived.length} calls need your approval: ${names}.`
}
