import type { RunView } from "@byleave/api"
import type { ApprovalsByCall } from "@byleave/ui"
import { type ChatMessage, type ThreadMessages, useMessages } from "@byleave/ui/chat"
import { useLiveLeg } from "../../data/use-live-leg.ts"
import type { Read } from "../../data/use-read.ts"
import { useRunApprovals } from "../../data/use-run-approvals.ts"
import { useRunStory } from "../../data/use-run-story.ts"

export type Thread = Pick<ThreadMessages, "isBeginning" | "onSending" | "onStarted"> & {
  readonly messages: readonly ChatMessage[]
  readonly approvals: ApprovalsByCall
  readonly isReady: boolean
  /** The model failed and is asked again, for the so-manieth time; null: it answers. */
  readonly attempt: number | null
  readonly read: Read<unknown>
}

/** The messages of a thread, with the leg under way. `isExpected`: a reply is about to begin. */
export function useThread(id: string | null, run: RunView | null, isExpected: boolean): Thread {
  const isRunning = run?.status === "running"
  const story = useRunStory(id ?? "", isRunning, id !== null)
  const live = useLiveLeg(id ?? "", isRunning || isExpected, id !== null)
  const approvals = useRunApprovals({ id: id ?? "", principal: "chat" }, id !== null)
  const items = id !== null && story.state === "ready" ? story.value : null
  const { messages, ...sent } = useMessages(id, items, live)
  const attempt = live?.attempt ?? null
  return { messages: messages ?? none, approvals, isReady: messages !== null, attempt, read: story, ...sent }
}

const none: readonly ChatMessage[] = []
