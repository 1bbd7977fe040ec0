import { showText } from "@byleave/core"
import { KeyRound, PanelLeft } from "lucide-react"
import type { ReactNode } from "react"
import { Button } from "../../parts/button.tsx"
import look from "./thread-head.module.css"

type ThreadHeadProps = {
  /** Null: the thread has not begun. */
  readonly title: string | null
  readonly onShowList: () => void
  /** Shows what the thread may do without asking. Absent: there is no thread yet. */
  readonly onPermissions?: () => void
  /** A menu with what else can be done with the thread. */
  readonly children?: ReactNode
}

/** The thread's title, what it may do without asking, and what can be done with it. */
export function ThreadHead({ title, onShowList, onPermissions, children }: ThreadHeadProps): ReactNode {
  return (
    <header className={look.head}>
      <span className={look.list}>
        <Button size="small" tone="quiet" icon={<PanelLeft />} onClick={onShowList}>
          Threads
        </Button>
      </span>
      <h1 className={look.title} tabIndex={-1} data-new={title === null}>
        {title === null ? "Chat" : showText(title)}
      </h1>
      {onPermissions !== undefined && (
        <div className={look.actions}>
          <Button
            size="small"
            tone="quiet"
            icon={<KeyRound />}
            aria-label="Permissions of this thread"
            onClick={onPermissions}
          >
            <span className={look.wide}>Permissions</span>
          </Button>
          {children}
        </div>
      )}
    </header>
  )
}
