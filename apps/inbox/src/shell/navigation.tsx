import { Button, Dialog } from "@byleave/ui"
import { Link, useLocation } from "@tanstack/react-router"
import { Ellipsis, LogOut } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useSession } from "../session/session-context.tsx"
import look from "./navigation.module.css"
import { pageIcons } from "./page-icons.tsx"
import { type PagePath, pageLinks } from "./page-links.ts"
import { type Count, useCounts } from "./use-counts.ts"

type Counts = ReadonlyMap<PagePath, Count>

/** At the side where there is room, at the bottom of a phone. */
export function Navigation(): ReactNode {
  const counts = useCounts()
  return (
    <>
      <nav className={look.rail} aria-label="Pages">
        <p className={look.brand}>
          <img src="/icon.svg" alt="" width="28" height="28" />
          Byleave
        </p>
        <ul className={look.list}>
          {pageLinks.map((place) => (
            <li key={place.path}>
              <PlaceLink {...place} counts={counts} />
            </li>
          ))}
        </ul>
        <Account />
      </nav>
      <BottomBar counts={counts} />
    </>
  )
}

function BottomBar({ counts }: { readonly counts: Counts }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const more = pageLinks.slice(4)
  const { pathname } = useLocation()
  const isHere = more.some(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
  const hasNews = more.some(({ path }) => counts.has(path))
  return (
    <nav className={look.bar} aria-label="Pages">
      {pageLinks.slice(0, 4).map((place) => (
        <PlaceLink key={place.path} {...place} counts={counts} />
      ))}
      <button
        type="button"
        className={look.link}
        aria-haspopup="dialog"
        aria-current={isHere ? "true" : undefined}
        data-status={isHere ? "active" : undefined}
        onClick={() => setOpen(true)}
      >
        <Ellipsis aria-hidden="true" />
        <span>More</span>
        {hasNews && <span className={look.dot} role="img" aria-label="needs attention" />}
      </button>
      <Dialog open={isOpen} onClose={close} title="More pages">
        <ul className={look.sheet}>
          {more.map((place) => (
            <li key={place.path}>
              <PlaceLink {...place} counts={counts} onGo={close} />
            </li>
          ))}
        </ul>
        <Account />
      </Dialog>
    </nav>
  )
}

type PlaceLinkProps = {
  readonly path: PagePath
  readonly title: string
  readonly counts: Counts
  readonly onGo?: () => void
}

function PlaceLink({ path, title, counts, onGo }: PlaceLinkProps): ReactNode {
  const Icon = pageIcons[path]
  const count = counts.get(path)
  return (
    <Link
      to={path}
      className={look.link}
      activeOptions={{ exact: path === "/", includeSearch: false }}
      onClick={() => onGo?.()}
    >
      <Icon aria-hidden="true" />
      <span>{title}</span>
      {count !== undefined && (
        <span className={look.count} data-tone={path === "/" ? "wait" : "know"}>
          <span aria-hidden="true">{count.count > 9_999 ? "9999+" : count.count}</span>
          <span className="only-read-aloud">{count.words}</span>
        </span>
      )}
    </Link>
  )
}

function Account(): ReactNode {
  const { now, signOut } = useSession()
  const [isBusy, setBusy] = useState(false)
  if (now.status !== "in") return null
  const leave = async (): Promise<void> => {
    setBusy(true)
    await signOut()
  }
  return (
    <div className={look.account}>
      <p>
        <strong>{now.reviewer}</strong>
        <span>{now.browser}</span>
      </p>
      <Button size="small" tone="quiet" icon={<LogOut />} busy={isBusy && "Signing out…"} onClick={() => void leave()}>
        Sign out
      </Button>
    </div>
  )
}
