import type { ApprovalSummaryView, RunView, StoryItemView } from "@byleave/api"
import { applyRunEvent, type LiveLeg, storyTurns } from "@byleave/ui"
import { type ChatMessage, chatMessages } from "@byleave/ui/chat"
import { useEffect, useMemo, useRef, useState } from "react"
import { answerIn, type PanelBackend } from "./panel-client.ts"
import { type Live, useLive } from "./use-live.ts"

export type PanelThread = {
  readonly run: RunView | null
  readonly messages: readonly ChatMessage[]
  /** By the model's ids of the calls. */
  readonly approvals: ReadonlyMap<string, ApprovalSummaryView>
  readonly waiting: readonly ApprovalSummaryView[]
  readonly isReady: boolean
  /** The model is asked again, for the so-manieth time; null: it answers. */
  readonly attempt: number | null
  readonly problem: string | null
}

const none: ReadonlyMap<string, ApprovalSummaryView> = new Map()

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
  const approvals = useMemo(
    () =>
      asked.state === "ready"
        ? new Map(asked.value.flatMap((each) => (each.run === undefined ? [] : [[each.run.toolCall, each] as const])))
        : none,
    [asked],
  )
  const messages = useMemo(() => (items === null ? [] : chatMessages(storyTurns(items, live))), [items, live])
  const waiting = useMemo(() => waitingIn(messages, approvals), [messages, approvals])
  const problem = [details, story, asked].find((each) => each.state === "problem")
  return {
    run,
    messages,
    approvals,
    waiting,
    isReady: items !== null && run !== null,
    attempt: live?.attempt ?? null,
    problem: problem?.state === "problem" ? problem.words : null,
  }
}

/** The approvals that wait, in the order the model made the calls. */
function waitingIn(
  messages: readonly ChatMessage[],
  approvals: PanelThread["approvals"],
): readonly ApprovalSummaryView[] {
  const parts = messages.flatMap((message) => (message.kind === "reply" ? message.parts : []))
  return parts.flatMap((part) => {
    const approval = part.kind === "call" ? approvals.get(part.call.toolCall) : undefined
    return approval?.status === "pending" ? [approval] : []
  })
}

type Read = { readonly items: readonly StoryItemView[]; readonly readTo: number }

/** A thread's story only grows, so each time what follows is read. */
function useStory(
  backend: PanelBackend,
  id: string | null,
  isRunning: boolean,
  isStale: (event: { type: string; subject: string }) => boolean,
): Live<readonly StoryItemView[]> {
  const before = useRef<{ readonly id: string | null; readonly read: Read }>({
    id: null,
    read: { items: [], readTo: 0 },
  })
  const read = async (): Promise<readonly StoryItemView[]> => {
    const start = before.current.id === id ? before.current.read : { items: [], readTo: 0 }
    const items = [...start.items]
    let { readTo } = start
    for (;;) {
      const page = await answerIn(backend.client.runStory({ params: { id: id ?? "" }, query: { after: readTo } }))
      items.push(...page.items)
      if (page.next === null) break
      readTo = page.next
    }
    if (readTo === start.readTo) return start.items
    before.current = { id, read: { items, readTo } }
    return items
  }
  return useLive(backend, read, {
    key: id,
    isStale: (event) => isStale(event) || event.type.startsWith("approval."),
    everyMs: isRunning ? 1_000 : null,
  })
}

/** As often as a model's words are drawn. */
const drawMs = 60

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
    void followLeg(backend, id, over.signal, setLive)
    return () => over.abort()
  }, [backend, id, isRunning])
  return live
}

async function followLeg(
  backend: PanelBackend,
  id: string,
  signal: AbortSignal,
  onLive: (live: LiveLeg) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      let live: LiveLeg | null = null
      let isDue = false
      for await (const event of await answerIn(backend.client.runEvents({ params: { id }, signal }))) {
        if (event.type !== "part" && event.type !== "retry") continue
        live = applyRunEvent(live, event)
        if (isDue) continue
        isDue = true
        setTimeout(() => {
          isDue = false
          if (live !== null && !signal.aborted) onLive(live)
        }, drawMs)
      }
    } catch {
      // The connection was lost: the next one tells the leg from its beginning.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}
