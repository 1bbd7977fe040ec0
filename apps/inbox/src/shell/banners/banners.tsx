import type { SessionView } from "@byleave/api"
import { sessionName } from "@byleave/api/page"
import { policyMode } from "@byleave/core"
import { Ago, Button, exactTime, Left, lengthInWords, modeSentence, TheirName, useNow } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { Eye, KeyRound, PlugZap, RotateCw, ShieldOff, Zap } from "lucide-react"
import { type ReactNode, useEffect } from "react"
import { useLive, useLiveConnection } from "../../data/live/live.tsx"
import { useRead } from "../../data/use-read.ts"
import { Banner } from "./banner.tsx"
import look from "./banners.module.css"
import { untilWords } from "./until-words.ts"

/** The banners that stand on every page because nobody may miss them. */
export function Banners(): ReactNode {
  return (
    <section className={look.banners} aria-label="Status">
      <div className={look.always}>
        <LineBanner />
        <ModeBanners />
      </div>
      <PresenceBanner />
    </section>
  )
}

const backShownMs = 15_000

function LineBanner(): ReactNode {
  const { line } = useLive()
  const now = useLiveConnection()
  const cameBack = now?.state === "open" ? now.cameBack : null
  useEffect(() => {
    if (cameBack === null) return
    const timer = setTimeout(line.forgetReturn, backShownMs)
    return () => clearTimeout(timer)
  }, [cameBack, line])
  if (now?.state === "lost") {
    const again = (
      <Button size="small" onClick={line.retry}>
        Try now
      </Button>
    )
    return (
      <Banner tone="no" icon={<PlugZap />} actions={again} isNews>
        <strong>Not connected to Byleave</strong> since <Ago at={now.since} />. This page may be out of date and nothing
        can be decided. Reconnecting automatically.
      </Banner>
    )
  }
  if (cameBack === null) return null
  return (
    <Banner tone="yes" icon={<RotateCw />} isNews>
      <strong>Reconnected.</strong> Byleave was offline for {lengthInWords(cameBack.away)}, or restarted. Nothing was
      missed: the page is up to date again.
    </Banner>
  )
}

function PresenceBanner(): ReactNode {
  const me = useRead("me")
  if (me.state !== "ready") return null
  if (me.value.presence === "none") {
    return (
      <Banner tone="wait" icon={<ShieldOff />}>
        <strong>PINs are turned off.</strong>{" "}
        <span data-more>Anyone with access to this browser profile can decide. For demos only.</span>
      </Banner>
    )
  }
  if (me.value.present) return null
  return (
    <Banner tone="wait" icon={<KeyRound />}>
      <strong>This browser can view and deny calls, but not allow them.</strong> It was signed in without a PIN. Run{" "}
      <code>byleave open</code> in a terminal and sign in again with your PIN.
    </Banner>
  )
}

const mostModes = 3

function ModeBanners(): ReactNode {
  const sessions = useRead("listSessions")
  if (sessions.state !== "ready") return null
  const odd = sessions.value.items.filter(({ mode }) => mode !== "ask")
  return (
    <>
      {odd.slice(0, mostModes).map((session) => (
        <ModeBanner key={session.key} session={session} />
      ))}
      {odd.length > mostModes && (
        <Banner tone="no" icon={<Zap />}>
          {odd.length - mostModes} more sessions are not in Ask mode. <Link to="/sessions">View all</Link>
        </Banner>
      )}
    </>
  )
}

function ModeBanner({ session }: { readonly session: SessionView }): ReactNode {
  const isLoose = policyMode(session.mode) === "autonomous" || session.mode === "observe"
  return (
    <Banner tone={isLoose ? "no" : "wait"} isLoud={isLoose} icon={session.mode === "observe" ? <Eye /> : <Zap />}>
      <strong>
        <TheirName text={sessionName(session, session)} />
      </strong>{" "}
      {modeSentence(session.mode)}
      {session.modeUntil !== null && <ModeEnd until={session.modeUntil} />}
      {session.modeBy !== null && (
        <>
          , set by <TheirName text={session.modeBy} />
        </>
      )}
      . <Link to="/sessions">Change</Link>
      {session.mode === "observe" && (
        <>
          {" · "}
          <Link to="/policy" hash="observed">
            What would have been asked
          </Link>
        </>
      )}
    </Banner>
  )
}

const minute = 60_000

function ModeEnd({ until }: { readonly until: number }): ReactNode {
  const now = useNow(minute)
  return (
    <span title={exactTime(until)}>
      {" "}
      until {untilWords(until, now)} (<Left until={until} />)
    </span>
  )
}
