import type { ApprovalSummaryView, RunView } from "@byleave/api"
import { Empty, Loading } from "@byleave/ui"
import {
  type ChatRequest,
  ChatThread,
  Conversation,
  composerState,
  type Draft,
  draftOfMessage,
  emptyDraft,
  NewThread,
  type RequestAnswer,
  retryMessage,
  ThreadChoices,
  ThreadHead,
  ThreadNotice,
  threadTitle,
  type UserMessage,
  useAnswers,
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
  const { draft, onDraft, onRefused } = useDrafts(id)
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
    (next: Draft): void => {
      onDraft(next)
      field.current?.focus()
    },
    [onDraft],
  )
  const send = async (deniesWaiting: boolean): Promise<void> => {
    const text = withAttachments(draft.text.trim(), draft.files)
    const sent = sending.send({ text, pictures: draft.pictures }, threadTitle(draft), deniesWaiting)
    thread.onSending(text)
    onDraft(emptyDraft)
    const sentTo = await sent
    if (sentTo === null) {
      thread.onSending(null)
      return onRefused(draft)
    }
    if (id === null) {
      thread.onStarted(sentTo)
      return void router.navigate({ to: "/chat/$id", params: { id: sentTo } } as never)
    }
    scroll.current?.scrollTo({ top: scroll.current.scrollHeight })
  }
  const { done, onAnswer } = useAnswers()
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
              onDraft,
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
      {isGone ? (
        <UnknownThread />
      ) : id === null && !thread.isBeginning ? (
        <NewThread setup={setup} onTry={(text) => write({ ...emptyDraft, text })} onFollow={follow} />
      ) : (
        <ThreadBody
          run={run}
          begun={{ id: id ?? "", status: id === null ? "finished" : "running", model: setup.model, servers: none }}
          details={details}
          thread={thread}
          onReuse={sending.isBusy ? undefined : write}
          onFollow={follow}
          onAnswer={onAnswer}
        />
      )}
      {run !== null && <FailedNotice run={run} attempt={thread.attempt} />}
    </Conversation>
  )
}

const none: readonly never[] = []

type DrawnRun = Pick<RunView, "id" | "status" | "model" | "servers">

type ThreadBodyProps = {
  readonly run: RunView | null
  /** Stands for the run of a thread that begins here, until it was read. */
  readonly begun: DrawnRun
  readonly details: Read<unknown>
  readonly thread: Thread
  /** Puts a message back into the composer; undefined while one is being sent. */
  readonly onReuse: ((draft: Draft) => void) | undefined
  readonly onFollow: (href: string) => void
  readonly onAnswer: (answer: RequestAnswer) => void
}

function ThreadBody({ run, begun, details, thread, ...props }: ThreadBodyProps): ReactNode {
  if (details.state === "problem") return <ReadProblem problem={details.problem} again={details.again} />
  if (thread.read.state === "problem") return <ReadProblem problem={thread.read.problem} again={thread.read.again} />
  if (!thread.isReady || (run === null && !thread.isBeginning)) return <Loading label="Loading the thread" lines={6} />
  return <ReadyThread run={run ?? begun} thread={thread} {...props} />
}

type ReadyThreadProps = Pick<ThreadBodyProps, "thread" | "onReuse" | "onFollow" | "onAnswer"> & {
  readonly run: DrawnRun
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
  const reuse = useCallback(
    (message: UserMessage) => void draftOfMessage(message, loadPicture).then(onReuse),
    [loadPicture, onReuse],
  )
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
        onReuse={run.status === "cancelled" || onReuse === undefined ? undefined : reuse}
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
