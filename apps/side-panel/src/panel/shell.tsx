import { exactTime, Loading, modeSentence, Notice, ShownName } from "@byleave/ui"
import { useDrafts, WaitingBar } from "@byleave/ui/chat"
import { List, Plug, Plus, Settings2, ShieldCheck } from "lucide-react"
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react"
import { endLeftGrants, isOfThread } from "./end-left-grants.ts"
import { keptThreadName } from "./kept-thread.ts"
import { answerIn, type PanelBackend } from "./panel-client.ts"
import { Permissions, useGrants } from "./permissions.tsx"
import { ProblemNotice } from "./problem-notice.tsx"
import { SettingsPlace } from "./settings-place.tsx"
import look from "./shell.module.css"
import { ThreadPlace } from "./thread-place.tsx"
import { Threads } from "./threads.tsx"
import { useLive } from "./use-live.ts"
import { useThread } from "./use-thread.ts"
import { useWaitingNews } from "./use-waiting-news.ts"

const Servers = lazy(async () => ({ default: (await import("./servers/servers.tsx")).Servers }))

type Place = "chat" | "threads" | "permissions" | "servers" | "settings"

/** The panel: a bar with what there is, and below it the place somebody is in. */
export function Shell({ backend }: { readonly backend: PanelBackend }): ReactNode {
  const [place, setPlace] = useState<Place>("chat")
  const { thread, setThread, isRead } = useKeptThread(backend.kind)
  const notEnded = useEndLeftGrants(backend, thread, isRead)
  const isOnline = useSyncExternalStore(backend.connection.follow, backend.connection.isConnected)
  const read = useThread(backend, thread)
  const drafts = useDrafts(thread)
  const grants = useGrants(backend)
  const here = grants.state === "ready" ? grants.value.filter((grant) => isOfThread(grant, thread)) : []
  useWaitingNews(backend)
  const go = (next: string | null): void => {
    setPlace("chat")
    if (next !== thread) setThread(next)
  }
  const title = place === "chat" ? (read.run?.title ?? (thread === null ? "New thread" : "Thread")) : titles[place]
  return (
    <main className={look.shell}>
      <header className={look.bar}>
        <IconButton
          label="Threads"
          isOn={place === "threads"}
          onClick={() => setPlace(place === "threads" ? "chat" : "threads")}
        >
          <List />
        </IconButton>
        <h1 className={`one-line ${look.title}`}>
          <ShownName text={title} />
        </h1>
        <IconButton
          label={here.length === 0 ? "Permissions" : `Permissions: ${here.length} in this thread`}
          isOn={place === "permissions"}
          count={here.length}
          onClick={() => setPlace(place === "permissions" ? "chat" : "permissions")}
        >
          <ShieldCheck />
        </IconButton>
        <IconButton
          label="Servers"
          isOn={place === "servers"}
          onClick={() => setPlace(place === "servers" ? "chat" : "servers")}
        >
          <Plug />
        </IconButton>
        <IconButton
          label="Settings"
          isOn={place === "settings"}
          onClick={() => setPlace(place === "settings" ? "chat" : "settings")}
        >
          <Settings2 />
        </IconButton>
        <IconButton label="New thread" isOn={false} onClick={() => go(null)}>
          <Plus />
        </IconButton>
      </header>
      {!isOnline && <Notice tone="wait">Byleave cannot be reached. The panel reconnects by itself.</Notice>}
      <ProblemNotice words={notEnded} />
      <ModeNotice backend={backend} session={read.run?.sessionKey ?? null} />
      {place !== "chat" && read.waiting.length > 0 && (
        <div className={look.waits}>
          <WaitingBar waiting={read.waiting} onShow={() => setPlace("chat")} />
        </div>
      )}
      {place === "chat" && (
        <ThreadPlace
          backend={backend}
          id={thread}
          thread={read}
          drafts={drafts}
          isOnline={isOnline}
          onStarted={(id) => setThread(id)}
          onServers={() => setPlace("servers")}
          onSettings={() => setPlace("settings")}
        />
      )}
      {place === "threads" && (
        <Threads backend={backend} openId={thread} onOpen={go} onGone={(id) => id === thread && setThread(null)} />
      )}
      {place === "permissions" && <Permissions backend={backend} thread={thread} />}
      {place === "servers" && (
        <Suspense fallback={<Loading label="Loading the servers" />}>
          <Servers backend={backend} />
        </Suspense>
      )}
      {place === "settings" && <SettingsPlace backend={backend} />}
    </main>
  )
}

/** Says on every place of the panel that calls of the thread do not ask as usual. */
function ModeNotice({
  backend,
  session,
}: {
  readonly backend: PanelBackend
  readonly session: string | null
}): ReactNode {
  const found = useLive(
    backend,
    async () => (await answerIn(backend.client.listSessions({ query: { keys: session ?? "" } }))).items,
    { key: session, isStale: ({ type }) => type === "mode.changed" },
  )
  const [known] = found.state === "ready" ? found.value : []
  if (known === undefined || known.mode === "ask") return null
  return (
    <Notice tone="no">
      This thread {modeSentence(known.mode)}
      {known.modeUntil !== null && `, until ${exactTime(known.modeUntil)}`}. Change it in your Byleave, under Sessions.
    </Notice>
  )
}

const titles: Readonly<Record<Exclude<Place, "chat">, string>> = {
  threads: "Byleave",
  permissions: "Byleave",
  servers: "Byleave",
  settings: "Byleave",
}

type IconButtonProps = {
  readonly label: string
  readonly isOn: boolean
  readonly count?: number
  readonly onClick: () => void
  readonly children: ReactNode
}

function IconButton({ label, isOn, count = 0, onClick, children }: IconButtonProps): ReactNode {
  return (
    <button type="button" className={look.icon} aria-label={label} title={label} aria-pressed={isOn} onClick={onClick}>
      <span aria-hidden="true">{children}</span>
      {count > 0 && (
        <span className={look.count} aria-hidden="true">
          {count}
        </span>
      )}
    </button>
  )
}

const retryMs = 5_000

/** Ends what was auto-approved in other threads, when the panel opens and whenever another thread does. Gives why that failed; it is tried again. */
function useEndLeftGrants(backend: PanelBackend, thread: string | null, isRead: boolean): string | null {
  const visited = useRef(new Set<string>())
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (thread !== null) visited.current.add(thread)
  }, [thread])
  const ended = useLive(backend, () => endLeftGrants(backend.client, thread, visited.current), {
    key: isRead ? `left for ${thread}` : null,
    isStale: () => false,
    everyMs: hasFailed ? retryMs : null,
  })
  useEffect(() => {
    if (ended.state !== "loading") setFailed(ended.state === "problem")
  }, [ended.state])
  return ended.state === "problem" ? `Other threads may still be auto-approved; trying again. ${ended.words}` : null
}

type KeptThread = {
  readonly thread: string | null
  readonly setThread: (id: string | null) => void
  /** Before, the thread that is open is not known. */
  readonly isRead: boolean
}

/** The thread somebody was in, also after the panel was closed. */
function useKeptThread(kind: PanelBackend["kind"]): KeptThread {
  const name = keptThreadName(kind)
  const [thread, setThread] = useState<string | null>(null)
  const [isRead, setRead] = useState(false)
  const isChosen = useRef(false)
  useEffect(() => {
    void chrome.storage.session
      .get(name)
      .then(({ [name]: kept }) => {
        if (typeof kept === "string" && !isChosen.current) setThread(kept)
      })
      .finally(() => setRead(true))
  }, [name])
  const choose = useCallback(
    (id: string | null): void => {
      isChosen.current = true
      setThread(id)
      void (id === null ? chrome.storage.session.remove(name) : chrome.storage.session.set({ [name]: id }))
    },
    [name],
  )
  return { thread, setThread: choose, isRead }
}
