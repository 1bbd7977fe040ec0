import type { RunView } from "@byleave/api"
import { type ChatMessage, type ToldThread, toldThread, withLiveLeg } from "@byleave/ui/chat"
import { useMemo, useRef } from "react"
import { useLiveLeg } from "../../data/use-live-leg.ts"
import type { Read } from "../../data/use-read.ts"
import { type ApprovalsByCall, useRunApprovals } from "../../data/use-run-approvals.ts"
import { useRunStory } from "../../data/use-run-story.ts"

export type Thread = {
  readonly messages: readonly ChatMessage[]
  readonly approvals: ApprovalsByCall
  readonly isReady: boolean
  /** The model failed and is asked again, for the so-manieth time; null: it answers. */
  readonly attempt: number | null
  readonly read: Read<unknown>
}

/** The messages of a thread, with the leg under way. */
/** `isExpected`: a reply is about to begin. */
export function useThread(id: string | null, run: RunView | null, isExpected: boolean): Thread {
  const isRunning = run?.status === "running"
  const story = useRunStory(id ?? "", isRunning, id !== null)
  const live = useLiveLeg(id ?? "", isRunning || isExpected, id !== null)
  const approvals = useRunApprovals({ id: id ?? "", principal: "chat" }, id !== null)
  const items = id !== null && story.state === "ready" ? story.value : null
  const before = useRef<ToldThread | null>(null)
  const told = useMemo(() => {
    before.current = items === null ? null : toldThread(items, before.current)
    return before.current
  }, [items])
  const messages = useMemo(() => (told === null ? [] : withLiveLeg(told, live)), [told, live])
  const attempt = live?.attempt ?? null
  return { messages, approvals, isReady: told !== null, attempt, read: story }
}
