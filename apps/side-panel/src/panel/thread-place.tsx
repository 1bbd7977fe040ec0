import { Empty, Loading, Sentence, shownToolNames } from "@byleave/ui"
import {
  type ChatRequest,
  ChatThread,
  Conversation,
  composerState,
  type Draft,
  type Drafts,
  draftOfMessage,
  emptyDraft,
  type RequestAnswer,
  retryMessage,
  ThreadChoices,
  ThreadNotice,
  threadTitle,
  useAnswers,
  withAttachments,
} from "@byleave/ui/chat"
import { Ghost } from "lucide-react"
import { type ReactNode, useMemo, useRef } from "react"
import { NewThread } from "./new-thread.tsx"
import { answerIn, type PanelBackend } from "./panel-client.ts"
import { ProblemNotice } from "./problem-notice.tsx"
import { RequestCard } from "./request-card.tsx"
import look from "./thread-place.module.css"
import { useAct, useLive } from "./use-live.ts"
import { useSetup } from "./use-setup.ts"
import type { PanelThread } from "./use-thread.ts"

type ThreadPlaceProps = {
  readonly backend: PanelBackend
  readonly id: string | null
  readonly thread: PanelThread
  readonly drafts: Drafts
  readonly isOnline: boolean
  readonly onStarted: (id: string) => void
  readonly onServers: () => void
  readonly onSettings: () => void
}

/** One thread, or the beginning of one. */
export function ThreadPlace(props: ThreadPlaceProps): ReactNode {
  const { backend, id, thread, isOnline, onStarted } = props
  const { client } = backend
  const { run, waiting } = thread
  const { draft, onDraft, onRefused } = props.drafts
  const { done, onAnswer } = useAnswers()
  const setup = useSetup(backend, id, run)
  const field = useRef<HTMLTextAreaElement>(null)
  const scroll = useRef<HTMLDivElement>(null)
  const send = async (text: string, deniesWaiting: boolean): Promise<void> => {
    const query = { wait: 0 }
    if (id === null) {
      const body = { principal: "chat" as const, prompt: text, title: threadTitle(draft), ...setup.chosen }
      const { run_id: started } = await answerIn(client.startRun({ query, body }))
      thread.onStarted(started)
      return onStarted(started)
    }
    const denied = deniesWaiting ? { denyWaiting: true as const } : {}
    await answerIn(client.continueRun({ params: { id }, query, body: { message: text, ...denied, ...setup.changed } }))
    scroll.current?.scrollTo({ top: scroll.current.scrollHeight })
  }
  const sending = useAct(async (deniesWaiting: boolean) => {
    const text = withAttachments(draft.text.trim(), draft.files)
    thread.onSending(text)
    onDraft(emptyDraft)
    await send(text, deniesWaiting).catch((error: unknown) => {
      thread.onSending(null)
      onRefused(draft)
      throw error
    })
  })
  const stopping = useAct(() => answerIn(client.stopRun({ params: { id: id ?? "" } })))
  const retry = useAct((body: { readonly message?: string }) =>
    answerIn(client.continueRun({ params: { id: id ?? "" }, query: { wait: 0 }, body })),
  )
  const reuse = (next: Draft): void => {
    onDraft(next)
    field.current?.focus()
  }
  const problem = sending.problem ?? stopping.problem ?? retry.problem
  return (
    <Conversation
      id={id}
      head={null}
      messages={thread.messages}
      waiting={waiting}
      isReady={thread.isReady}
      done={done}
      scroll={scroll}
      problem={problem !== null && <ProblemNotice words={problem} />}
      choices={
        <>
          <p className={look.with}>{backend.kind === "standalone" ? "Standalone" : "Paired"}</p>
          <ThreadChoices setup={setup} />
        </>
      }
      composer={
        run?.status === "cancelled"
          ? null
          : {
              draft,
              onDraft,
              state: composerState(run, waiting.length, !isOnline),
              isSending: sending.isBusy,
              isStopping: stopping.isBusy,
              onSend: () => void sending.run(false),
              onDenyAndSend: () => void sending.run(true),
              onStop: () => void stopping.run(),
              field,
            }
      }
    >
      {id === null && !thread.isBeginning ? (
        <NewThread
          kind={backend.kind}
          setup={setup}
          onTry={(text) => reuse({ ...emptyDraft, text })}
          onServers={props.onServers}
          onSettings={props.onSettings}
        />
      ) : (
        <Messages
          id={id}
          model={setup.model}
          backend={backend}
          thread={thread}
          onReuse={sending.isBusy ? null : reuse}
          onAnswer={onAnswer}
        />
      )}
      {run !== null && (
        <ThreadNotice
          run={run}
          attempt={thread.attempt}
          isRetrying={retry.isBusy}
          onRetry={() => void retry.run(retryMessage(run))}
        />
      )}
    </Conversation>
  )
}

type MessagesProps = Pick<ThreadPlaceProps, "id" | "backend" | "thread"> & {
  /** Of a thread that begins here. */
  readonly model: string
  /** Puts a message back into the composer; null while one is being sent. */
  readonly onReuse: ((draft: Draft) => void) | null
  readonly onAnswer: (answer: RequestAnswer) => void
}

function Messages({ id, model, backend, thread, onReuse, onAnswer }: MessagesProps): ReactNode {
  const { run, waiting } = thread
  const names = useToolNames(backend)
  if (thread.problem !== null && !thread.isReady) {
    return (
      <Empty icon={<Ghost />} title="This thread cannot be shown">
        <p>
          <Sentence text={thread.problem} />
        </p>
      </Empty>
    )
  }
  if (!thread.isReady) return <Loading label="Loading the thread" lines={6} />
  const isOver = run?.status === "cancelled"
  return (
    <ChatThread
      run={run ?? { id: id ?? "", status: id === null ? "finished" : "running", model }}
      messages={thread.messages}
      approvals={thread.approvals}
      toolNames={names}
      marksUnasked
      renderRequest={(request: ChatRequest) => (
        <RequestCard
          key={request.approval.id}
          backend={backend}
          request={request}
          alsoWaiting={waiting}
          onAnswer={onAnswer}
        />
      )}
      onReuse={
        isOver || onReuse === null ? undefined : (message) => void draftOfMessage(message, undefined).then(onReuse)
      }
    />
  )
}

function useToolNames(backend: PanelBackend): ReadonlyMap<string, string> {
  const servers = useLive(backend, async () => (await answerIn(backend.client.listServers())).items, {
    key: "servers",
    isStale: ({ type }) => type === "server.changed" || type === "definition.changed",
  })
  return useMemo(() => shownToolNames(servers.state === "ready" ? servers.value : []), [servers])
}
