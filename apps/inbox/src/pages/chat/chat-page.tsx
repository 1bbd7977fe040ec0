import { Loading } from "@byleave/ui"
import { type RecordedThread, readThreadRecording } from "@byleave/ui/chat"
import { useParams } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { useToast } from "../../shell/toast.tsx"
import look from "./chat-page.module.css"
import { ThreadList } from "./thread-list.tsx"
import { ThreadPage } from "./thread-page.tsx"

const ReplayView = lazy(async () => ({ default: (await import("@byleave/ui/replay")).ReplayView }))

/** Threads with agents: the list, and the one somebody is in. Without an id in the address, a new one. */
export function ChatPage(): ReactNode {
  const { id = null } = useParams({ strict: false }) as { readonly id?: string }
  const [isListOpen, setListOpen] = useState(false)
  const [recording, setRecording] = useState<RecordedThread | null>(null)
  const say = useToast()
  const showList = (): void => setListOpen(true)
  const play = async (file: File): Promise<void> => {
    const read = readThreadRecording(await file.text())
    if (!read.ok) return say({ title: "This file cannot be played", words: read.problem })
    setRecording(read.thread)
    setListOpen(false)
  }
  return (
    <div
      className={look.page}
      data-fills
      data-list-open={isListOpen}
      data-card-open={(id !== null || recording !== null) && !isListOpen}
    >
      <ThreadList
        openId={recording === null ? id : undefined}
        isAlone={isListOpen}
        onGo={() => {
          setRecording(null)
          setListOpen(false)
        }}
        onPlay={(file) => void play(file)}
      />
      {recording === null ? (
        <ThreadPage id={id} onShowList={showList} />
      ) : (
        <Suspense fallback={<Loading label="Loading the recording" lines={6} />}>
          <ReplayView thread={recording} onShowList={showList} onClose={() => setRecording(null)} />
        </Suspense>
      )}
    </div>
  )
}
