import type { ApprovalSummaryView, RunView } from "@byleave/api"
import { Empty, Loading } from "@byleave/ui"
import {
  answerWords,
  type ChatRequest,
  ChatThread,
  Conversation,
  composerState,
  emptyDraft,
  NewThread,
  type RequestAnswer,
  retryMessage,
  ThreadChoices,
  ThreadHead,
  ThreadNotice,
  threadTitle,
  useDrafts,
  waitingCalls,
  withAttachments,
} from "@byleave/ui/chat"
import { Link, useRouter } from "@tanstack/react-router"
import { Ghost } from "lucide-react"
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react"
import { useClient } from "../../data/client.tsx"
import { useLiveConnection } from "../../data/live/live.tsx"
import { useAct } from "../../data/use-act.ts"
import { type Read, useRead } from "../../data/use-read.ts"
import { useToolNames } from "../../data/use-tool-names.ts"
import { fetching } from "../../shell/page-not-loaded.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import { ReadProblem } from "../places/reading.tsx"
import { shortTitle } from "../runs/run-facts.ts"
import { useVerdicts } from "../waiting/answer/use-verdicts.ts"
import { ChatVerdicts } from "./chat-verdicts.ts"
import { ThreadMenu } from "./thread-menu.tsx"
import { useSending } from "./use-sending.ts"
import { useSetup } from "./use-setup.ts"
import { type Thread, useThread } from "./use-thread.ts"

// The page comes first: the card, with everything it can show and ask, is loaded while people write.
const loadCard = fetching(async () => ({ default: (await import("./request-card.tsx")).RequestCard }))
const RequestCard = lazy(loadCard)
const ThreadPermissionsDialog = lazy(async () => ({
  default: (await import("./thread-permissions-dialog.tsx")).ThreadPermissionsDialog,
}))
const CallsTogether = lazy(async () => ({ default: (await import("./calls-together.tsx")).CallsTogether }))

type ThreadPageProps = { readonly id: string | null; readonly onShowList: () => void }

/** One thread, or the beginning of one, read from the service and answered there. */
export function ThreadPage({ id, onShowList }: ThreadPageProps): ReactNode {
  const router = useRouter()
  const details = useRead("getRun", { params: { id: id ?? "" } }, { enabled: id !== null })
  const run = id !== null && details.state === "ready" ? details.value.run : null
  const isGone = id !== null && details.state === "problem" && details.problem.code === "not-found"
  const setup = useSetup(id, run)
  const sending = useSending(id, run, setup)
  const [draft, setDraft] = useDrafts(id)
  // Who writes will send: the reply's stream is open by then.
  const thread = useThread(id, run, sending.isExpected || draft.text !== "")
  const field = useRef<HTMLTextAreaElement>(null)
  const scroll = useRef<HTMLDivElement>(null)
  const line = useLiveConnection()
  const waiting = useMemo(() => waitingCalls(thread.messages, thread.approvals), [thread.messages, thread.approvals])
  useEffect(() => {
    // Where it cannot be loaded now, whoever needs it is told.
    loadCard().catch(() => undefined)
  }, [])
  const follow = useCallback((href: string): void => void router.navigate({ href }), [router])
  const write = useCallback(
    (text: string): void => {
      setDraft({ ...emptyDraft, text })
      field.current?.focus()
    },
    [setDraft],
  )
  const send = async (deniesWaiting: boolean): Promise<void> => {
    const text = withAttachments(draft.text.trim(), draft.files)
    const sent = sending.send({ text, pictures: draft.pictures }, threadTitle(draft), deniesWaiting)
    thread.onSending(text)
    if (!(await sent)) return thread.onSending(null)
    setDraft(emptyDraft)
    scroll.current?.scrollTo({ top: scroll.current.scrollHeight })
  }
  const [done, setDone] = useState("")
  const tell = (answer: RequestAnswer): void => {
    const answered = waiting.find((approval) => approval.id === answer.approval)
    if (answered !== undefined) setDone(answerWords(answer, answered))
  }
  const [isShowing, setShowing] = useState(false)
  const takesPictures =
    typeof setup.models !== "string" && setup.models.some(({ name, images }) => name === setup.model && images)
  const canWrite = !isGone && run?.status !== "cancelled" && setup.models !== "none"
  return (
    <Conversation
      id={id}
      head={
        run === null ? (
          <ThreadHead title={null} onShowList={onShowList} />
        ) : (
          <ThreadHead title={shortTitle(run.title)} onShowList={onShowList} onPermissions={() => setShowing(true)}>
            <ThreadMenu run={run} />
            {isShowing && (
              <Suspense fallback={null}>
                <ThreadPermissionsDialog run={run} onClose={() => setShowing(false)} />
              </Suspense>
            )}
          </ThreadHead>
        )
      }
      messages={thread.messages}
      waiting={waiting}
      isReady={thread.isReady}
      done={done}
      scroll={scroll}
      choices={<ThreadChoices setup={setup} />}
      problem={<ProblemNotice problem={sending.problem} onClose={sending.forget} />}
      composer={
        canWrite
          ? {
              draft,
              onDraft: setDraft,
              state: composerState(run, waiting.length, line?.state === "lost"),
              takesPictures,
              isSending: sending.isBusy,
              isStopping: sending.isStopping,
              onSend: () => void send(false),
              onDenyAndSend: () => void send(true),
              onStop: sending.stop,
              field,
            }
          : null
      }
    >
      {id === null ? (
        <NewThread setup={setup} onTry={write} onFollow={follow} />
      ) : isGone ? (
        <UnknownThread />
      ) : (
        <ThreadBody run={run} details={details} thread={thread} onReuse={write} onFollow={follow} onAnswer={tell} />
      )}
      {run !== null && <FailedNotice run={run} attempt={thread.attempt} />}
    </Conversation>
  )
}

type ThreadBodyProps = {
  readonly run: RunView | null
  readonly details: Read<unknown>
  readonly thread: Thread
  readonly onReuse: (text: string) => void
  readonly onFollow: (href: string) => void
  readonly onAnswer: (answer: RequestAnswer) => void
}

function ThreadBody({ run, details, thread, ...props }: ThreadBodyProps): ReactNode {
  if (details.state === "problem") return <ReadProblem problem={details.problem} again={details.again} />
  if (thread.read.state === "problem") return <ReadProblem problem={thread.read.problem} again={thread.read.again} />
  if (run === null || !thread.isReady) return <Loading label="Loading the thread" lines={6} />
  return <ReadyThread run={run} thread={thread} {...props} />
}

type ReadyThreadProps = Pick<ThreadBodyProps, "thread" | "onReuse" | "onFollow" | "onAnswer"> & {
  readonly run: RunView
}

function ReadyThread({ run, thread, onReuse, onFollow, onAnswer }: ReadyThreadProps): ReactNode {
  const toolNames = useToolNames(run.servers)
  const verdicts = useVerdicts(() => undefined, "chat")
  const client = useClient()
  const loadPicture = useCallback(
    async ({ seq, nth }: { readonly seq: number; readonly nth: number }) => {
      const reply = await client.runPicture({ params: { id: run.id, seq: `${seq}`, nth: `${nth}` } })
      return reply.ok ? reply.value : null
    },
    [client, run.id],
  )
  const reuse = useCallback((message: { readonly text: string }) => onReuse(message.text), [onReuse])
  return (
    <ChatVerdicts value={{ verdicts, onAnswer }}>
      <ChatThread
        run={run}
        messages={thread.messages}
        approvals={thread.approvals}
        toolNames={toolNames}
        renderRequest={drawRequest}
        renderTogether={drawTogether}
        loadPicture={loadPicture}
        onFollow={onFollow}
        onReuse={run.status === "cancelled" ? undefined : reuse}
      />
    </ChatVerdicts>
  )
}

// The same for every message and every drawing of it: a message that has not changed is not drawn again.
function drawRequest(request: ChatRequest): ReactNode {
  return (
    <Suspense key={request.approval.id} fallback={<Loading label="Loading the call" lines={6} />}>
      <RequestCard request={request} />
    </Suspense>
  )
}

function drawTogether(calls: readonly ApprovalSummaryView[]): ReactNode {
  return (
    <Suspense fallback={null}>
      <CallsTogether calls={calls} />
    </Suspense>
  )
}

function FailedNotice({ run, attempt }: { readonly run: RunView; readonly attempt: number | null }): ReactNode {
  const retry = useAct("continueRun")
  return (
    <ThreadNotice
      run={run}
      attempt={attempt}
      isRetrying={retry.isBusy}
      onRetry={() => void retry.act({ params: { id: run.id }, query: { wait: 0 }, body: retryMessage(run) })}
    >
      <ProblemNotice problem={retry.problem} onClose={retry.forget} />
    </ThreadNotice>
  )
}

function UnknownThread(): ReactNode {
  return (
    <Empty icon={<Ghost />} title="Thread not found">
      <p>It was deleted, or the link is wrong. Calls it made stay in Activity and in the audit trail.</p>
      <Link to={"/chat" as never}>Start a new thread</Link>
    </Empty>
  )
}
