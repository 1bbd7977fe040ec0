import type { ApprovalSummaryView, RunView, StoryItemView } from "@byleave/api"
import {
  type ApprovalsByCall,
  approvalsByCall,
  followLeg,
  type LiveLeg,
  nothingRead,
  type ReadStory,
  readStoryOn,
} from "@byleave/ui"
import { type ChatMessage, type ThreadMessages, useMessages, waitingCalls } from "@byleave/ui/chat"
import { useEffect, useMemo, useRef, useState } from "react"
import { answerIn, type PanelBackend } from "./panel-client.ts"
import { type Live, useLive } from "./use-live.ts"

export type PanelThread = Pick<ThreadMessages, "isBeginning" | "onSending" | "onStarted"> & {
  readonly run: RunView | null
  readonly messages: readonly ChatMessage[]
  /** By the model's ids of the calls. */
  readonly approvals: ApprovalsByCall
  readonly waiting: readonly ApprovalSummaryView[]
  readonly isReady: boolean
  /** The model is asked again, for the so-manieth time; null: it answers. */
  readonly attempt: number | null
  readonly problem: string | null
}

const none: readonly never[] = []

export function useThread(backend: PanelBackend, id: string | null): PanelThread {
  const { client } = backend
  const ofRun = ({ type, subject }: { type: string; subject: string }): boolean =>
    type === "agent-run.changed" && (subject === id || subject === "")
  const details = useLive(backend, () => answerIn(client.getRun({ params: { id: id ?? "" } })), {
    key: id,
    isStale: (event) => ofRun(event) || event.type.startsWith("approval."),
  })
  const run = details.state === "ready" ? details.value.run : null
  const isRunning = run?.status === "running"
  const story = useStory(backend, id, isRunning, ofRun)
  const live = useLiveLeg(backend, id, isRunning)
  const asked = useLive(
    backend,
    async () =>
      (await answerIn(client.listApprovals({ query: { principal: "chat", session: id ?? "", limit: 500 } }))).items,
    { key: id, isStale: ({ type }) => type.startsWith("approval.") },
  )
  const items = story.state === "ready" ? story.value : null
  const found = asked.state === "ready" ? asked.value : none
  const approvals = useMemo(() => approvalsByCall(found), [found])
  const { messages: told, ...sent } = useMessages(id, items, live)
  const messages = told ?? none
  const waiting = useMemo(() => waitingCalls(messages, approvals), [messages, approvals])
  const problem = [details, story, asked].find((each) => each.state === "problem")
  return {
    run,
    messages,
    approvals,
    waiting,
    ...sent,
    isReady: told !== null && (run !== null || sent.isBeginning),
    attempt: live?.attempt ?? null,
    problem: problem?.state === "problem" ? problem.words : null,
  }
}

/** A thread's story only grows, so each time what follows is read. */
function useStory(
  backend: PanelBackend,
  id: string | null,
  isRunning: boolean,
  isStale: (event: { type: string; subject: string }) => boolean,
): Live<readonly StoryItemView[]> {
  const before = useRef<{ readonly id: string | null; readonly story: ReadStory }>({ id: null, story: nothingRead })
  const read = async (): Promise<readonly StoryItemView[]> => {
    const start = before.current.id === id ? before.current.story : nothingRead
    const story = await readStoryOn(start, (after) =>
      answerIn(backend.client.runStory({ params: { id: id ?? "" }, query: { after } })),
    )
    before.current = { id, story }
    return story.items
  }
  return useLive(backend, read, {
    key: id,
    isStale: (event) => isStale(event) || event.type.startsWith("approval."),
    everyMs: isRunning ? 1_000 : null,
  })
}

/** The leg under way as it is told; null: there is none. */
function useLiveLeg(backend: PanelBackend, id: string | null, isRunning: boolean): LiveLeg | null {
  const [live, setLive] = useState<LiveLeg | null>(null)
  useEffect(() => {
    if (id === null || !isRunning) {
      // The journal has it by now, or will in a moment.
      const timer = setTimeout(() => setLive(null), 400)
      return () => clearTimeout(timer)
    }
    const over = new AbortController()
    const open = (signal: AbortSignal) => answerIn(backend.client.runEvents({ params: { id }, signal }))
    void followLeg({ open, signal: over.signal, onLive: setLive })
    return () => over.abort()
  }, [backend, id, isRunning])
  return live
}
