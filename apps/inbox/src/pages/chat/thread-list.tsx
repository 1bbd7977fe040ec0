import type { RunSummaryView } from "@byleave/api"
import { Ago, Button, Loading, ShownName } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { SquarePen, X } from "lucide-react"
import { memo, type ReactNode, useDeferredValue, useRef, useState } from "react"
import { usePageKeys } from "../../shell/use-page-key.ts"
import { MoreBelow } from "../activity/more-below.tsx"
import { ReadProblem } from "../places/reading.tsx"
import { SearchBox } from "../places/search-box.tsx"
import look from "./thread-list.module.css"
import { threadState } from "./thread-state.ts"
import { useThreads } from "./use-threads.ts"

type ThreadListProps = {
  readonly openId: string | null
  /** It stands in place of the conversation, as on a phone, and is a page with a title then. */
  readonly isAlone: boolean
  readonly onGo: () => void
}

/** All threads, newest first, with what needs somebody marked. */
export function ThreadList({ openId, isAlone, onGo }: ThreadListProps): ReactNode {
  const [text, setText] = useState("")
  const wanted = useDeferredValue(text.trim())
  const threads = useThreads(wanted)
  const search = useRef<HTMLInputElement>(null)
  usePageKeys((key) => {
    if (key !== "/") return false
    search.current?.focus()
    return true
  })
  return (
    <nav className={look.pane} aria-label="Threads">
      {isAlone && <h1 className={look.name}>Threads</h1>}
      <div className={look.head}>
        <Link
          className={look.begin}
          to={"/chat" as never}
          onClick={onGo}
          aria-current={openId === null ? "page" : undefined}
        >
          <SquarePen aria-hidden="true" />
          New thread
        </Link>
        <span className={look.close}>
          <Button tone="quiet" icon={<X />} onClick={onGo}>
            Close
          </Button>
        </span>
      </div>
      <div className={look.search}>
        <SearchBox
          ref={search}
          label="Search threads"
          placeholder="Search threads"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <div className={look.scroll}>
        {threads.state === "loading" && <Loading label="Loading threads" lines={5} />}
        {threads.state === "problem" && <ReadProblem problem={threads.problem} again={threads.again} />}
        {threads.state === "ready" && threads.threads.length === 0 && (
          <p className={look.none}>
            {wanted === "" ? "Threads you start are kept here." : "No thread has this in its title."}
          </p>
        )}
        {threads.state === "ready" && threads.threads.length > 0 && (
          <ul>
            {threads.threads.map((thread) => (
              <ThreadRow key={thread.id} thread={thread} isOpen={thread.id === openId} onGo={onGo} />
            ))}
          </ul>
        )}
        {threads.state === "ready" && threads.hasMore && (
          <MoreBelow what="older threads" isReading={threads.isReadingMore} onMore={threads.readMore} />
        )}
      </div>
    </nav>
  )
}

type ThreadRowProps = { readonly thread: RunSummaryView; readonly isOpen: boolean; readonly onGo: () => void }

const ThreadRow = memo(function ThreadRow({ thread, isOpen, onGo }: ThreadRowProps): ReactNode {
  const state = threadState(thread)
  return (
    <li>
      <Link
        className={look.row}
        to={"/chat/$id" as never}
        params={{ id: thread.id } as never}
        aria-current={isOpen ? "page" : undefined}
        onClick={onGo}
      >
        <span className={look.title}>
          <ShownName text={thread.title} />
        </span>
        <span className={look.state} data-tone={state?.tone ?? "plain"}>
          {state === null ? <Ago at={thread.updatedAt} /> : state.words}
        </span>
      </Link>
    </li>
  )
})
