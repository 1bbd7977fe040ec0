import { Empty, Loading, Notice, ShownName, shownToolNames } from "@byleave/ui"
import {
  type ChatRequest,
  ChatThread,
  Conversation,
  composerState,
  type Draft,
  emptyDraft,
  retryMessage,
  ThreadNotice,
  threadTitle,
  withAttachments,
} from "@byleave/ui/chat"
import { Ghost } from "lucide-react"
import { type ReactNode, useMemo, useRef, useState } from "react"
import { NewThread } from "./new-thread.tsx"
import { answerIn, type PanelBackend } from "./panel-client.ts"
import { RequestCard } from "./request-card.tsx"
import look from "./thread-place.module.css"
import { useAct, useLive } from "./use-live.ts"
import type { PanelThread } from "./use-thread.ts"

type ThreadPlaceProps = {
  readonly backend: PanelBackend
  readonly id: string | null
  readonly thread: PanelThread
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
  const [draft, setDraft] = useState<Draft>(emptyDraft)
  const field = useRef<HTMLTextAreaElement>(null)
  const scroll = useRef<HTMLDivElement>(null)
  const sending = useAct(async (deniesWaiting: boolean) => {
    const text = withAttachments(draft.text.trim(), draft.files)
    if (id === null) {
      const body = { principal: "chat" as const, prompt: text, title: threadTitle(draft) }
      const { run_id: started } = await answerIn(client.startRun({ query: { wait: 0 }, body }))
      setDraft(emptyDraft)
      onStarted(started)
      return
    }
    const denied = deniesWaiting ? { denyWaiting: true as const } : {}
    thread.onSending(text)
    await answerIn(
      client.continueRun({ params: { id }, query: { wait: 0 }, body: { message: text, ...denied } }),
    ).catch((error: unknown) => {
      thread.onSending(null)
      throw error
    })
    setDraft(emptyDraft)
    scroll.current?.scrollTo({ top: scroll.current.scrollHeight })
  })
  const stopping = useAct(() => answerIn(client.stopRun({ params: { id: id ?? "" } })))
  const retry = useAct((body: { readonly message?: string }) =>
    answerIn(client.continueRun({ params: { id: id ?? "" }, query: { wait: 0 }, body })),
  )
  const reuse = (text: string): void => {
    setDraft({ ...emptyDraft, text })
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
      scroll={scroll}
      problem={problem !== null && <Notice tone="no">{problem}</Notice>}
      choices={
        <p className={look.with}>
          {backend.kind === "standalone" ? "Standalone" : "Paired"}
          {run !== null && (
            <>
              {" · "}
              <ShownName text={run.model} />
            </>
          )}
        </p>
      }
      composer={
        run?.status === "cancelled"
          ? null
          : {
              draft,
              onDraft: setDraft,
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
      {id === null ? (
        <NewThread backend={backend} onTry={reuse} onServers={props.onServers} onSettings={props.onSettings} />
      ) : (
        <Messages backend={backend} thread={thread} onReuse={reuse} />
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

type MessagesProps = Pick<ThreadPlaceProps, "backend" | "thread"> & { readonly onReuse: (text: string) => void }

function Messages({ backend, thread, onReuse }: MessagesProps): ReactNode {
  const { run, waiting } = thread
  const names = useToolNames(backend)
  if (thread.problem !== null && !thread.isReady) {
    return (
      <Empty icon={<Ghost />} title="This thread cannot be shown">
        <p>{thread.problem}</p>
      </Empty>
    )
  }
  if (run === null || !thread.isReady) return <Loading label="Loading the thread" lines={6} />
  return (
    <ChatThread
      run={run}
      messages={thread.messages}
      approvals={thread.approvals}
      toolNames={names}
      marksUnasked
      renderRequest={({ approval }: ChatRequest) => (
        <RequestCard
          key={approval.id}
          backend={backend}
          id={approval.id}
          nth={waiting.findIndex((each) => each.id === approval.id)}
          alsoWaiting={waiting}
        />
      )}
      {...(run.status === "cancelled" ? {} : { onReuse: (message) => onReuse(message.text) })}
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
