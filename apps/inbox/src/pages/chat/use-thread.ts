import type { RunView } from "@byleave/api"
import { storyTurns } from "@byleave/ui"
import { type ChatMessage, chatMessages } from "@byleave/ui/chat"
import { useMemo } from "react"
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
export function useThread(id: string | null, run: RunView | null): Thread {
  const isRunning = run?.status === "running"
  const story = useRunStory(id ?? "", isRunning, id !== null)
  const live = useLiveLeg(id ?? "", isRunning, id !== null)
  const approvals = useRunApprovals({ id: id ?? "", principal: "chat" }, id !== null)
  const items = id !== null && story.state === "ready" ? story.value : null
  return useMemo(() => {
    const messages = items === null ? [] : chatMessages(storyTurns(items, live))
    return { messages, approvals, isReady: items !== null, attempt: live?.attempt ?? null, read: story }
  }, [items, live, approvals, story])
}
