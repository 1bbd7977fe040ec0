import { Button } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { Bell, BellRing, Hourglass } from "lucide-react"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { useBook, useLive } from "../data/live.tsx"
import type { BookNews, WaitingCall } from "../data/waiting-book.ts"
import { arrivalWords } from "../pages/waiting/announcement.ts"
import { useSession } from "../session/session-context.tsx"
import { Banner } from "../shell/banner.tsx"
import { beep } from "./beep.ts"
import { dueWarnings, warningOf } from "./due-warnings.ts"
import { showCount } from "./favicon.ts"
import { arrivedWords, endingWords, expiredWords } from "./notice-words.ts"
import type { NotifySettings } from "./notify-settings.ts"
import { pageTitle } from "./page-title.ts"
import { askToNotify, showNotification } from "./show-notification.ts"
import { useNotifySettings } from "./use-notify-settings.ts"

/** Tells a person who looks elsewhere: title, icon, notification, sound; and one who listens instead of looking. */
export function Notifier({ page }: { readonly page: string }): ReactNode {
  const { now } = useSession()
  const reviewer = now.status === "in" ? now.reviewer : ""
  const [settings, change] = useNotifySettings(reviewer)
  const { count } = useBook()
  const [expired, setExpired] = useState<readonly WaitingCall[]>([])
  const [said, announce] = useAnnouncement()
  useEffect(() => {
    document.title = pageTitle(page, count)
    void showCount(count)
  }, [page, count])
  useNews((news) => {
    tellAway(news, settings)
    if (news.arrived.length > 0) announce(news.arrived.length)
    if (news.expired.length > 0) setExpired((before) => [...before, ...news.expired].slice(-99))
  })
  useWarnings(settings)
  return (
    <>
      <p className="only-read-aloud" role="status">
        {said}
      </p>
      <ExpiredBanner calls={expired} onClose={() => setExpired([])} />
      {count > 0 && page === "Waiting" && <AskBanner settings={settings} change={change} />}
    </>
  )
}

function tellAway(news: BookNews, settings: NotifySettings): void {
  const arrived = arrivedWords(news.arrived)
  const expired = expiredWords(news.expired)
  if (settings.notifications && arrived !== null) showNotification(arrived, "waiting")
  if (settings.notifications && expired !== null) showNotification(expired, "expired")
  if (settings.sound && arrived !== null) beep()
}

function useNews(hear: (news: BookNews) => void): void {
  const { book } = useLive()
  const latest = useRef(hear)
  useEffect(() => {
    latest.current = hear
  })
  useEffect(() => book.onNews((news) => latest.current(news)), [book])
}

const announceMs = 4_000

/** Gathers what came, and says it at most every few seconds. */
function useAnnouncement(): readonly [string, (arrived: number) => void] {
  const { book } = useLive()
  const [said, setSaid] = useState("")
  const gathered = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const announce = (arrived: number): void => {
    gathered.current += arrived
    timer.current ??= setTimeout(() => {
      setSaid(arrivalWords(gathered.current, book.view().count))
      gathered.current = 0
      timer.current = undefined
    }, announceMs)
  }
  return [said, announce]
}

const lookMs = 5_000

/** Shortly before a call ends unanswered. Looked for now and then: ten thousand calls are not counted down one by one. */
function useWarnings(settings: NotifySettings): void {
  const { book } = useLive()
  const warned = useRef(new Set<string>())
  const { expiry, notifications, sound } = settings
  useEffect(() => {
    if (!expiry) return
    const timer = setInterval(() => {
      const due = dueWarnings(book.view().calls, warned.current, Date.now())
      for (const call of due) {
        warned.current.add(warningOf(call))
        if (notifications) showNotification(endingWords(call), `ending ${call.id}`)
      }
      if (sound && due.length > 0) beep()
    }, lookMs)
    return () => clearInterval(timer)
  }, [book, expiry, notifications, sound])
}

function ExpiredBanner({
  calls,
  onClose,
}: {
  readonly calls: readonly WaitingCall[]
  readonly onClose: () => void
}): ReactNode {
  const words = expiredWords(calls)
  if (words === null) return null
  const actions = (
    <Button size="small" onClick={onClose}>
      Understood
    </Button>
  )
  return (
    <Banner tone="wait" icon={<Hourglass />} actions={actions} isNews>
      <strong translate="no">{words.title}.</strong> {words.body}{" "}
      <Link to="/activity" search={{ outcome: "expired" } as never}>
        See what expired
      </Link>
    </Banner>
  )
}

/** Asked once, from a button, and only when something waits: then it is plain what for. */
function AskBanner({
  settings,
  change,
}: {
  readonly settings: NotifySettings
  readonly change: (part: Partial<NotifySettings>) => void
}): ReactNode {
  if (settings.asked || !("Notification" in window) || Notification.permission === "denied") return null
  const yes = async (): Promise<void> => change({ asked: true, notifications: await askToNotify() })
  const actions = (
    <>
      <Button size="small" icon={<BellRing />} onClick={() => void yes()}>
        Tell me
      </Button>
      <Button size="small" tone="quiet" onClick={() => change({ asked: true })}>
        No, thanks
      </Button>
    </>
  )
  return (
    <Banner tone="know" icon={<Bell />} actions={actions} isMinor>
      Shall this browser tell you when a call waits while you are elsewhere? It says the tool’s name, never its
      arguments.
    </Banner>
  )
}
