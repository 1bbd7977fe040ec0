import { Button, Empty, Loading, Notice, Sentence, ShownName } from "@byleave/ui"
import {
  Announcer,
  type ChatRequest,
  ChatThread,
  Composer,
  composerState,
  type Draft,
  emptyDraft,
  useFollowEnd,
  WaitingBar,
  withAttachments,
} from "@byleave/ui/chat"
import { Ghost, RotateCw } from "lucide-react"
import { type ReactNode, useMemo, useRef, useState } from "react"
import look from "./conversation.module.css"
import { NewThread } from "./new-thread.tsx"
import { answerIn, type PanelBackend } from "./panel-client.ts"
import { RequestCard } from "./request-card.tsx"
import { useAct, useLive } from "./use-live.ts"
import type { PanelThread } from "./use-thread.ts"

type ConversationProps = {
  readonly backend: PanelBackend
  readonly id: string | null
  readonly thread: PanelThread
  readonly isOnline: boolean
  readonly onStarted: (id: string) => void
  readonly onServers: () => void
  readonly onSettings: () => void
}

/** One thread, or the beginning of one. The composer stays where it is when the first message makes a thread. */
export function Conversation(props: ConversationProps): ReactNode {
  const { backend, id, thread, isOnline, onStarted } = props
  const { client } = backend
  const [draft, setDraft] = useState<Draft>(emptyDraft)
  const field = useRef<HTMLTextAreaElement>(null)
  const scroll = useRef<HTMLDivElement>(null)
  useFollowEnd(scroll, id)
  const sending = useAct(async (deniesWaiting: boolean) => {
    const text = withAttachments(draft.text.trim(), draft.files)
    if (id === null) {
      const body = { principal: "chat" as const, prompt: text, title: titleOf(draft) }
      const { run_id: started } = await answerIn(client.startRun({ query: { wait: 0 }, body }))
      setDraft(emptyDraft)
      onStarted(started)
      return
    }
    const denied = deniesWaiting ? { denyWaiting: true as const } : {}
    await answerIn(client.continueRun({ params: { id }, query: { wait: 0 }, body: { message: text, ...denied } }))
    setDraft(emptyDraft)
    scroll.current?.scrollTo({ top: scroll.current.scrollHeight })
  })
  const stopping = useAct(() => answerIn(client.stopRun({ params: { id: id ?? "" } })))
  const retry = useAct(() => answerIn(client.continueRun({ params: { id: id ?? "" }, query: { wait: 0 }, body: {} })))
  const reuse = (text: string): void => {
    setDraft({ ...emptyDraft, text })
    field.current?.focus()
  }
  const problem = sending.problem ?? stopping.problem ?? retry.problem
  const { run, waiting } = thread
  return (
    <section className={look.conversation} aria-label="Conversation">
      <div ref={scroll} className={look.scroll} tabIndex={-1}>
        {id === null ? (
          <NewThread backend={backend} onTry={reuse} onServers={props.onServers} onSettings={props.onSettings} />
        ) : (
          <Messages {...props} onReuse={reuse} />
        )}
        {run !== null && (
          <RunNotice run={run} attempt={thread.attempt} isBusy={retry.isBusy} onAgain={() => void retry.run()} />
        )}
      </div>
      <div className={look.foot}>
        <WaitingBar waiting={waiting} onShow={(call) => showRequest(scroll.current, call)} />
        {problem !== null && <Notice tone="no">{problem}</Notice>}
        {run?.status !== "cancelled" && (
          <Composer
            draft={draft}
            onDraft={setDraft}
            state={isOnline ? composerState(run, waiting.length, false) : "off"}
            waiting={waiting.length}
            isSending={sending.isBusy}
            isStopping={stopping.isBusy}
            onSend={() => void sending.run(false)}
            onDenyAndSend={() => void sending.run(true)}
            onStop={() => void stopping.run()}
            field={field}
          >
            <p className={look.with}>
              {backend.kind === "standalone" ? "Standalone" : "Paired"}
              {run !== null && (
                <>
                  {" · "}
                  <ShownName text={run.model} />
                </>
              )}
            </p>
          </Composer>
        )}
      </div>
      <Announcer messages={thread.messages} waiting={waiting} isReady={thread.isReady} key={id} />
    </section>
  )
}

/** Brings the card of a call into view, with the focus on it. */
function showRequest(scroll: HTMLElement | null, id: string): void {
  const card = scroll?.querySelector<HTMLElement>(`[data-request="${CSS.escape(id)}"]`)
  if (card == null) return
  card.tabIndex = -1
  card.scrollIntoView({ block: "start", behavior: "smooth" })
  card.focus({ preventScroll: true })
}

function Messages({
  backend,
  thread,
  onReuse,
}: ConversationProps & { readonly onReuse: (text: string) => void }): ReactNode {
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

/** Tools as people know them, by the names that models call them by. */
function useToolNames(backend: PanelBackend): ReadonlyMap<string, string> {
  const servers = useLive(backend, async () => (await answerIn(backend.client.listServers())).items, {
    key: "servers",
    isStale: ({ type }) => type === "server.changed" || type === "definition.changed",
  })
  return useMemo(() => {
    const known = servers.state === "ready" ? servers.value : []
    return new Map(
      known.flatMap(({ id, tools }) =>
        tools.map(({ name }) => [`${id}__${name}`.replaceAll(/[^A-Za-z0-9_-]/g, "_"), `${id}(${name})`] as const),
      ),
    )
  }, [servers])
}

type RunNoticeProps = {
  readonly run: NonNullable<PanelThread["run"]>
  readonly attempt: number | null
  readonly isBusy: boolean
  readonly onAgain: () => void
}

/** The problem of a thread, and how it goes on; nothing while all is well. */
function RunNotice({ run, attempt, isBusy, onAgain }: RunNoticeProps): ReactNode {
  const button = (words: string): ReactNode => (
    <Button size="small" icon={<RotateCw />} busy={isBusy && "Trying…"} onClick={onAgain}>
      {words}
    </Button>
  )
  const words = (): ReactNode => {
    if (run.status === "running" && attempt !== null) {
      return <Notice tone="wait">The model did not answer. Trying again ({attempt}).</Notice>
    }
    if (run.status !== "failed") return null
    if (run.stoppedBy !== null) {
      return (
        <Notice tone="know" actions={button("Continue")}>
          You stopped this reply. Send a message, or let it continue.
        </Notice>
      )
    }
    return (
      <Notice tone="no" title="The reply failed" actions={run.retryable ? button("Try again") : undefined}>
        <p>
          <Sentence text={run.detail.slice(0, 2_000)} />
        </p>
        <p>Calls that ran do not run again.</p>
      </Notice>
    )
  }
  const shown = words()
  return shown === null ? null : <div className={look.notice}>{shown}</div>
}

const longestTitle = 120

/** The first words of a thread's first message, or the file that came without any. */
function titleOf({ text, files }: Draft): string {
  const words = text.trim().replaceAll(/\s+/g, " ") || (files[0]?.name ?? "")
  return words.length > longestTitle ? `${words.slice(0, longestTitle - 1).toWellFormed()}…` : words
}
