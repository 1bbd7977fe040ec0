import { type ReactNode, useEffect, useRef, useState } from "react"
import { useLive, useWaitingCalls } from "../data/live/live.tsx"
import type { TableChange, WaitingCall } from "../data/live/waiting-table.ts"
import { arrivalWords } from "../pages/waiting/list/announcement.ts"
import { useSession } from "../session/session-context.tsx"
import { beep } from "./beep.ts"
import { showCount } from "./favicon.ts"
import { arrivedWords, expiredWords } from "./notice-words.ts"
import { AskBanner, EndingBanner, ExpiredBanner, SupersededBanner } from "./notify-banners.tsx"
import type { NotifySettings } from "./notify-settings.ts"
import { isThisTelling, joinTabs } from "./open-tabs.ts"
import { pageTitle } from "./page-title.ts"
import { closeNotification, showNotification } from "./show-notification.ts"
import { useNotifySettings } from "./use-notify-settings.ts"
import { useWarnings } from "./use-warnings.ts"

/** Tells a person who looks elsewhere: title, icon, notification, sound; and one who listens instead of looking. */
export function Notifier({ page }: { readonly page: string }): ReactNode {
  const { now } = useSession()
  const reviewer = now.status === "in" ? now.reviewer : ""
  const [settings, change] = useNotifySettings(reviewer)
  const { count } = useWaitingCalls()
  const [expired, addExpired, forgetExpired] = useLatest()
  const [superseded, addSuperseded, forgetSuperseded] = useLatest()
  const [said, announce] = useAnnouncement()
  const ending = useWarnings(settings)
  useEffect(joinTabs, [])
  useCount(page, count)
  useNews((news) => {
    tellAway(news, settings)
    if (news.arrived.length > 0) announce(news.arrived.length)
    addExpired(news.expired)
    addSuperseded(news.superseded)
  })
  return (
    <>
      <p className="only-read-aloud" role="status">
        {said}
      </p>
      <ExpiredBanner calls={expired} onClose={forgetExpired} />
      <SupersededBanner calls={superseded} onClose={forgetSuperseded} />
      {page !== "Waiting" && <EndingBanner calls={ending} />}
      {count > 0 && page === "Waiting" && <AskBanner settings={settings} change={change} />}
    </>
  )
}

/** The last calls of a kind, until somebody has read of them. */
function useLatest(): readonly [readonly WaitingCall[], (more: readonly WaitingCall[]) => void, () => void] {
  const [calls, setCalls] = useState<readonly WaitingCall[]>([])
  const add = (more: readonly WaitingCall[]): void => {
    if (more.length > 0) setCalls((before) => [...before, ...more].slice(-99))
  }
  return [calls, add, () => setCalls([])]
}

/** In the title and on the icon; it goes with whoever signs out. */
function useCount(page: string, count: number): void {
  useEffect(() => {
    document.title = pageTitle(page, count)
    void showCount(count)
    if (count === 0) closeNotification("waiting")
  }, [page, count])
  useEffect(
    () => () => {
      void showCount(0)
      closeNotification("waiting")
    },
    [],
  )
}

function tellAway(news: TableChange, settings: NotifySettings): void {
  if (!isThisTelling()) return
  const arrived = arrivedWords(news.arrived)
  const expired = expiredWords(news.expired)
  if (settings.notifications && arrived !== null) void showNotification(arrived, "waiting")
  if (settings.notifications && expired !== null) void showNotification(expired, "expired")
  if (settings.sound && arrived !== null) void beep()
}

function useNews(hear: (news: TableChange) => void): void {
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
