import type { ApprovalSummaryView, RunDetailsView, RunView } from "@byleave/api"
import { Empty, Loading, storyTurns } from "@byleave/ui"
import {
  Announcer,
  type ChatMessage,
  type ChatRequest,
  ChatThread,
  Composer,
  chatMessages,
  type Draft,
  emptyDraft,
  useFollowEnd,
  WaitingBar,
  withAttachments,
} from "@byleave/ui/chat"
import { Link, useRouter } from "@tanstack/react-router"
import { Ghost } from "lucide-react"
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from "react"
import { useLiveConnection } from "../../data/live.tsx"
import { useAct } from "../../data/use-act.ts"
import { useLiveLeg } from "../../data/use-live-leg.ts"
import { type Read, useRead } from "../../data/use-read.ts"
import { type ApprovalsByCall, useRunApprovals } from "../../data/use-run-approvals.ts"
import { useRunStory } from "../../data/use-run-story.ts"
import { useToolNames } from "../../data/use-tool-names.ts"
import { fetching } from "../../shell/page-not-loaded.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import { ReadProblem } from "../places/reading.tsx"
import { useVerdicts } from "../waiting/answer/use-verdicts.ts"
import look from "./chat-page.module.css"
import { NewThread } from "./new-thread.tsx"
import { ThreadChoices } from "./thread-choices.tsx"
import { ThreadHead } from "./thread-head.tsx"
import { ThreadNotice } from "./thread-notice.tsx"
import { useDrafts } from "./use-drafts.ts"
import { useSetup } from "./use-setup.ts"

// The page comes first: the card, with everything it can show and ask, is loaded while people write.
const loadCard = fetching(async () => ({ default: (await import("./request-card.tsx")).RequestCard }))
const RequestCard = lazy(loadCard)

type ConversationProps = { readonly id: string | null; readonly onShowList: () => void }

/** One thread, or the beginning of one. The composer stays where it is when the first message makes a thread. */
export function Conversation({ id, onShowList }: ConversationProps): ReactNode {
  const details = useRead("getRun", { params: { id: id ?? "" } }, { enabled: id !== null })
  const run = id !== null && details.state === "ready" ? details.value.run : null
  const isGone = id !== null && details.state === "problem" && details.problem.code === "not-found"
  const thread = useThread(id, run)
  const setup = useSetup(id, run)
  const [draft, setDraft] = useDrafts(id)
  const field = useRef<HTMLTextAreaElement>(null)
  const scroll = useRef<HTMLDivElement>(null)
  const sending = useSending(id, run, setup)
  const line = useLiveConnection()
  useFollowEnd(scroll, id)
  useEffect(() => {
    // Where it cannot be loaded now, whoever needs it is told.
    loadCard().catch(() => undefined)
  }, [])
  const waiting = useMemo(() => waitingIn(thread.messages, thread.approvals), [thread])
  const send = async (deniesWaiting: boolean): Promise<void> => {
    const text = withAttachments(draft.text.trim(), draft.files)
    if (await sending.send(text, titleOf(draft), deniesWaiting)) {
      setDraft(emptyDraft)
      scroll.current?.scrollTo({ top: scroll.current.scrollHeight })
    }
  }
  const canWrite = !isGone && run?.status !== "cancelled" && setup.models !== "none"
  return (
    <section className={look.conversation} aria-label="Conversation">
      <ThreadHead run={run} thread={thread} onShowList={onShowList} />
      <div ref={scroll} className={look.scroll} tabIndex={-1}>
        {id === null ? (
          <NewThread
            setup={setup}
            onTry={(text) => {
              setDraft({ ...emptyDraft, text })
              field.current?.focus()
            }}
          />
        ) : isGone ? (
          <UnknownThread />
        ) : (
          <ThreadBody
            details={details}
            thread={thread}
            waiting={waiting}
            onReuse={(text) => {
              setDraft({ ...emptyDraft, text })
              field.current?.focus()
            }}
          />
        )}
        {run !== null && <ThreadNotice run={run} attempt={thread.attempt} />}
      </div>
      {canWrite && (
        <div className={look.foot}>
          <WaitingBar waiting={waiting} onShow={(call) => showRequest(scroll.current, call)} />
          <ProblemNotice problem={sending.problem} onClose={sending.forget} />
          <Composer
            draft={draft}
            onDraft={setDraft}
            state={line?.state === "lost" ? "off" : composerState(run, waiting.length)}
            waiting={waiting.length}
            isSending={sending.isBusy}
            isStopping={sending.isStopping}
            onSend={() => void send(false)}
            onDenyAndSend={() => void send(true)}
            onStop={sending.stop}
            field={field}
          >
            <ThreadChoices setup={setup} />
          </Composer>
        </div>
      )}
      <Announcer messages={thread.messages} waiting={waiting} isReady={thread.isReady} key={id} />
    </section>
  )
}

function composerState(run: RunView | null, waiting: number): "ready" | "replying" | "waiting" {
  if (run?.status === "running") return "replying"
  return waiting > 0 ? "waiting" : "ready"
}

/** Brings the card of a call into view, with the focus on it. */
function showRequest(scroll: HTMLElement | null, id: string): void {
  const card = scroll?.querySelector<HTMLElement>(`[data-request="${CSS.escape(id)}"]`)
  if (card == null) return
  card.tabIndex = -1
  card.scrollIntoView({ block: "start", behavior: "smooth" })
  card.focus({ preventScroll: true })
}

export type Thread = {
  readonly messages: readonly ChatMessage[]
  readonly approvals: ApprovalsByCall
  readonly isReady: boolean
  /** The model failed and is asked again, for the so-manieth time; null: it answers. */
  readonly attempt: number | null
  readonly read: Read<unknown>
}

/** What was said in a thread, with the leg under way. */
function useThread(id: string | null, run: RunView | null): Thread {
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

/** The approvals that wait, in the order the model made the calls. */
function waitingIn(messages: readonly ChatMessage[], approvals: ApprovalsByCall) {
  const calls = messages.flatMap((message) => (message.kind === "reply" ? message.parts : []))
  return calls.flatMap((part) => {
    const approval = part.kind === "call" ? approvals.get(part.call.toolCall) : undefined
    return approval?.status === "pending" ? [approval] : []
  })
}

type ThreadBodyProps = {
  readonly details: Read<RunDetailsView>
  readonly thread: Thread
  readonly waiting: readonly ApprovalSummaryView[]
  readonly onReuse: (text: string) => void
}

function ThreadBody({ details, thread, waiting, onReuse }: ThreadBodyProps): ReactNode {
  if (details.state === "problem") return <ReadProblem problem={details.problem} again={details.again} />
  if (thread.read.state === "problem") return <ReadProblem problem={thread.read.problem} again={thread.read.again} />
  if (details.state === "loading" || !thread.isReady) return <Loading label="Loading the thread" lines={6} />
  return <ReadyThread run={details.value.run} thread={thread} waiting={waiting} onReuse={onReuse} />
}

type ReadyThreadProps = Pick<ThreadBodyProps, "thread" | "waiting" | "onReuse"> & { readonly run: RunView }

function ReadyThread({ run, thread, waiting, onReuse }: ReadyThreadProps): ReactNode {
  const router = useRouter()
  const toolNames = useToolNames(run.servers)
  const verdicts = useVerdicts(() => undefined)
  const follow = (href: string): void => void router.navigate({ href })
  return (
    <ChatThread
      run={run}
      messages={thread.messages}
      approvals={thread.approvals}
      toolNames={toolNames}
      renderRequest={(request: ChatRequest) => (
        <Suspense key={request.approval.id} fallback={<Loading label="Loading the call" lines={6} />}>
          <RequestCard
            request={request}
            nth={waiting.findIndex(({ id }) => id === request.approval.id)}
            verdicts={verdicts}
            onFollow={follow}
          />
        </Suspense>
      )}
      onFollow={follow}
      {...(run.status === "cancelled" ? {} : { onReuse: (message) => onReuse(message.text) })}
    />
  )
}

function UnknownThread(): ReactNode {
  return (
    <Empty icon={<Ghost />} title="This thread is not known">
      <p>It was deleted, or the link is wrong. Calls it made stay in Activity and in the audit trail.</p>
      <Link to={"/chat" as never}>Start a new thread</Link>
    </Empty>
  )
}

const longestTitle = 120

/** The first words of a thread's first message, or the file that came without any. */
function titleOf({ text, files }: Draft): string {
  const words = text.trim().replaceAll(/\s+/g, " ") || (files[0]?.name ?? "")
  return words.length > longestTitle ? `${words.slice(0, longestTitle - 1).toWellFormed()}…` : words
}

/** Sends a message into the thread, or begins one with it; and stops what is under way. */
function useSending(id: string | null, run: RunView | null, setup: ReturnType<typeof useSetup>) {
  const router = useRouter()
  const starting = useAct("startRun")
  const continuing = useAct("continueRun")
  const stopping = useAct("stopRun")
  const [isStopped, setStopped] = useState(false)
  const acts = [starting, continuing, stopping]
  const query = { wait: 0 }
  return {
    send: async (text: string, title: string, deniesWaiting: boolean): Promise<boolean> => {
      if (id === null) {
        const body = { principal: "chat" as const, prompt: text, title, ...setup.chosen }
        const reply = await starting.act({ query, body })
        if (reply.ok) void router.navigate({ to: "/chat/$id", params: { id: reply.value.run_id } } as never)
        return reply.ok
      }
      const denied = deniesWaiting ? { denyWaiting: true as const } : {}
      const body = { message: text, ...denied, ...setup.changed }
      return (await continuing.act({ params: { id }, query, body })).ok
    },
    stop: () => {
      if (id === null) return
      setStopped(true)
      void stopping.act({ params: { id } }).finally(() => setStopped(false))
    },
    isBusy: starting.isBusy || continuing.isBusy,
    isStopping: (isStopped || stopping.isBusy) && (run?.status === "running" || run?.status === "paused"),
    problem: acts.find(({ problem }) => problem !== null)?.problem ?? null,
    forget: () => {
      for (const act of acts) act.forget()
    },
  }
}
