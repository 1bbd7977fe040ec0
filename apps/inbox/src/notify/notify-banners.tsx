import type { CallView } from "@byleave/api"
import { Button } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { AlarmClock, Bell, BellRing, Hourglass } from "lucide-react"
import type { ReactNode } from "react"
import type { WaitingCall } from "../data/live/waiting-table.ts"
import { Banner } from "../shell/banners/banner.tsx"
import { endingWords, expiredWords, type NoticeWords, supersededWords } from "./notice-words.ts"
import type { NotifySettings } from "./notify-settings.ts"
import { askToNotify } from "./show-notification.ts"

type GoneProps = { readonly calls: readonly WaitingCall[]; readonly onClose: () => void }

export function ExpiredBanner({ calls, onClose }: GoneProps): ReactNode {
  return <GoneBanner words={expiredWords(calls)} outcome="expired" see="View expired calls" onClose={onClose} />
}

export function SupersededBanner({ calls, onClose }: GoneProps): ReactNode {
  return <GoneBanner words={supersededWords(calls)} outcome="superseded" see="View calls" onClose={onClose} />
}

/** Calls that are gone without anybody's answer. */
function GoneBanner({
  words,
  outcome,
  see,
  onClose,
}: Pick<GoneProps, "onClose"> & {
  readonly words: NoticeWords | null
  readonly outcome: CallView["outcome"]
  readonly see: string
}): ReactNode {
  if (words === null) return null
  const actions = (
    <Button size="small" onClick={onClose}>
      Got it
    </Button>
  )
  return (
    <Banner tone="wait" icon={<Hourglass />} actions={actions} isNews>
      <strong translate="no">{words.title}.</strong> {words.body}{" "}
      <Link to="/activity" search={{ outcome } as never}>
        {see}
      </Link>
    </Banner>
  )
}

/** For whoever is on another page than the one where the call itself shows how little time it has. */
export function EndingBanner({ calls }: { readonly calls: readonly WaitingCall[] }): ReactNode {
  const words = endingWords(calls)
  if (words === null) return null
  const [only] = calls.length === 1 ? calls : []
  return (
    <Banner tone="wait" icon={<AlarmClock />} isNews>
      <strong translate="no">{words.title}.</strong> {words.body}{" "}
      <Link to="/" search={(only === undefined ? {} : { open: only.id }) as never}>
        {only === undefined ? "View waiting calls" : "View call"}
      </Link>
    </Banner>
  )
}

type AskBannerProps = { readonly settings: NotifySettings; readonly change: (part: Partial<NotifySettings>) => void }

/** Asked once, from a button, and only when something waits: then it is plain what for. */
export function AskBanner({ settings, change }: AskBannerProps): ReactNode {
  if (settings.asked || !("Notification" in window) || Notification.permission === "denied") return null
  const yes = async (): Promise<void> => change({ asked: true, notifications: await askToNotify() })
  const actions = (
    <>
      <Button size="small" icon={<BellRing />} onClick={() => void yes()}>
        Turn on
      </Button>
      <Button size="small" tone="quiet" onClick={() => change({ asked: true })}>
        Not now
      </Button>
    </>
  )
  return (
    <Banner tone="know" icon={<Bell />} actions={actions} isMinor>
      Get a notification when a call is waiting and this page is in the background? It names the tool, never its
      arguments.
    </Banner>
  )
}
