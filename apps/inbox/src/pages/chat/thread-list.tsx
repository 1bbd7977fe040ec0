import { Button, Loading } from "@byleave/ui"
import { ThreadRows } from "@byleave/ui/chat"
import { Link, useRouter } from "@tanstack/react-router"
import { CirclePlay, SquarePen, X } from "lucide-react"
import { type ReactNode, useDeferredValue, useRef, useState } from "react"
import { usePageKeys } from "../../shell/use-page-key.ts"
import { MoreBelow } from "../activity/more-below.tsx"
import { ReadProblem } from "../places/reading.tsx"
import { SearchBox } from "../places/search-box.tsx"
import look from "./thread-list.module.css"
import { useThreads } from "./use-threads.ts"

type ThreadListProps = {
  /** Null: a new thread; undefined: something else is shown. */
  readonly openId: string | null | undefined
  /** It stands in place of the conversation, as on a phone, and is a page with a title then. */
  readonly isAlone: boolean
  readonly onGo: () => void
  /** Plays a recorded thread. */
  readonly onPlay: (file: File) => void
}

/** All threads, newest first, with what needs somebody marked. */
export function ThreadList({ openId, isAlone, onGo, onPlay }: ThreadListProps): ReactNode {
  const [text, setText] = useState("")
  const wanted = useDeferredValue(text.trim())
  const threads = useThreads(wanted)
  const router = useRouter()
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
        {threads.state === "ready" && (
          <ThreadRows
            threads={threads.threads}
            openId={openId ?? null}
            hrefOf={(id) => `/chat/${encodeURIComponent(id)}`}
            onFollow={(href) => {
              onGo()
              void router.navigate({ href })
            }}
            none={
              wanted === ""
                ? "Threads you start are kept here."
                : threads.hasMore
                  ? "Not in the newest threads."
                  : "No thread has these words."
            }
          />
        )}
        {threads.state === "ready" && threads.hasMore && (
          <MoreBelow what="older threads" isReading={threads.isReadingMore} onMore={threads.readMore} />
        )}
      </div>
      <PlayRecording onPlay={onPlay} />
    </nav>
  )
}

function PlayRecording({ onPlay }: Pick<ThreadListProps, "onPlay">): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={look.foot}>
      <Button size="small" tone="quiet" icon={<CirclePlay />} onClick={() => input.current?.click()}>
        Play a recording…
      </Button>
      <input
        ref={input}
        type="file"
        accept=".jsonl,application/x-ndjson"
        hidden
        aria-label="Recording to play"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          event.currentTarget.value = ""
          if (file !== undefined) onPlay(file)
        }}
      />
    </div>
  )
}
