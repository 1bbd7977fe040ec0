import type { RunSummaryView } from "@byleave/api"
import { memo, type ReactNode } from "react"
import { ShownName } from "../../parts/shown-text.tsx"
import { Ago } from "../../parts/time.tsx"
import { followInPage } from "../../plots/follow.ts"
import look from "./thread-rows.module.css"
import { threadState } from "./thread-state.ts"

type ThreadRowsProps = {
  readonly threads: readonly RunSummaryView[]
  readonly openId: string | null
  readonly hrefOf: (id: string) => string
  readonly onFollow: (href: string) => void
  /** Instead of rows where there is none. */
  readonly none: string
}

/** Threads, newest first, with those that need somebody marked. */
export function ThreadRows({ threads, openId, hrefOf, onFollow, none }: ThreadRowsProps): ReactNode {
  if (threads.length === 0) return <p className={look.none}>{none}</p>
  return (
    <ul>
      {threads.map((thread) => (
        <ThreadRow
          key={thread.id}
          thread={thread}
          isOpen={thread.id === openId}
          href={hrefOf(thread.id)}
          onFollow={onFollow}
        />
      ))}
    </ul>
  )
}

type ThreadRowProps = Pick<ThreadRowsProps, "onFollow"> & {
  readonly thread: RunSummaryView
  readonly isOpen: boolean
  readonly href: string
}

const ThreadRow = memo(function ThreadRow({ thread, isOpen, href, onFollow }: ThreadRowProps): ReactNode {
  const state = threadState(thread)
  return (
    <li>
      <a
        className={look.row}
        href={href}
        aria-current={isOpen ? "page" : undefined}
        onClick={(event) => followInPage(event, href, onFollow)}
      >
        <span className={look.title}>
          <ShownName text={thread.title} />
        </span>
        <span className={look.state} data-tone={state?.tone ?? "plain"}>
          {state === null ? <Ago at={thread.updatedAt} /> : state.words}
        </span>
      </a>
    </li>
  )
})
