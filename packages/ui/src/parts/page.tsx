import type { ReactNode } from "react"
import look from "./page.module.css"

export type PageProps = {
  readonly title: string
  /** One sentence: what this page is for. */
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page's head and body; its title is the page's only h1. */
export function Page({ title, lead, actions, children }: PageProps): ReactNode {
  return (
    <div className={look.page}>
      <header className={look.head}>
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {lead !== undefined && <p className={look.lead}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={look.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

type SheetProps = {
  readonly title?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly label?: string
}

export function Sheet({ title, actions, children, label }: SheetProps): ReactNode {
  return (
    <section className={look.sheet} aria-label={label}>
      {(title !== undefined || actions !== undefined) && (
        <header className={look.sheetHead}>
          {title !== undefined && <h2>{title}</h2>}
          {actions !== undefined && <div className={look.actions}>{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}

type EmptyProps = { readonly icon?: ReactNode; readonly title: string; readonly children?: ReactNode }

/** Nothing is here: why, and what would bring something. */
export function Empty({ icon, title, children }: EmptyProps): ReactNode {
  return (
    <div className={look.empty}>
      {icon !== undefined && (
        <span className={look.emptyIcon} aria-hidden="true">
          {icon}
        </span>
      )}
      <p className={look.emptyTitle}>{title}</p>
      {children !== undefined && <div className={look.emptyWords}>{children}</div>}
    </div>
  )
}

/** The shape of content that is being loaded. Read aloud once, as `label`. */
export function Loading({ label, lines = 3 }: { readonly label: string; readonly lines?: number }): ReactNode {
  return (
    <div className={look.loading} role="status" data-loading="">
      <span className="only-read-aloud">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <span key={line} className={look.line} aria-hidden="true" />
      ))}
    </div>
  )
}

type NoticeProps = {
  readonly tone: "know" | "wait" | "no" | "yes"
  readonly title?: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

/** Something to know before going on. `no` interrupts a screen reader, the others wait. */
export function Notice({ tone, title, children, actions }: NoticeProps): ReactNode {
  return (
    <div className={look.notice} data-tone={tone} role={tone === "no" ? "alert" : "status"}>
      <div>
        {title !== undefined && <p className={look.noticeTitle}>{title}</p>}
        {children}
      </div>
      {actions !== undefined && <div className={look.actions}>{actions}</div>}
    </div>
  )
}
