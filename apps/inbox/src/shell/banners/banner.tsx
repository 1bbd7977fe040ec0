import type { ReactNode } from "react"
import look from "./banner.module.css"

type BannerProps = {
  readonly tone: "know" | "wait" | "no" | "yes"
  readonly icon: ReactNode
  readonly children: ReactNode
  readonly actions?: ReactNode
  /** Read aloud when it comes; for what changes while somebody works. */
  readonly isNews?: boolean
  /** Cannot be overlooked: calls run that nobody is asked about. */
  readonly isLoud?: boolean
  /** Gives way to a card where there is little room. */
  readonly isMinor?: boolean
}

/** A strip across the page that says what holds everywhere. */
export function Banner(props: BannerProps): ReactNode {
  const { tone, icon, children, actions, isNews = false, isLoud = false, isMinor = false } = props
  return (
    <div
      className={look.banner}
      data-tone={tone}
      data-loud={isLoud}
      data-minor={isMinor}
      role={isNews ? "status" : undefined}
    >
      <span className={look.icon} aria-hidden="true">
        {icon}
      </span>
      <p className={look.words}>{children}</p>
      {actions !== undefined && <div className={look.actions}>{actions}</div>}
    </div>
  )
}
