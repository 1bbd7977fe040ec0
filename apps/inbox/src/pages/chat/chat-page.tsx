import { useParams } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import look from "./chat-page.module.css"
import { ThreadList } from "./thread-list.tsx"
import { ThreadPage } from "./thread-page.tsx"

/** Threads with agents: the list, and the one somebody is in. Without an id in the address, a new one. */
export function ChatPage(): ReactNode {
  const { id = null } = useParams({ strict: false }) as { readonly id?: string }
  const [isListOpen, setListOpen] = useState(false)
  return (
    <div className={look.page} data-fills data-list-open={isListOpen} data-card-open={id !== null && !isListOpen}>
      <ThreadList openId={id} isAlone={isListOpen} onGo={() => setListOpen(false)} />
      <ThreadPage id={id} onShowList={() => setListOpen(true)} />
    </div>
  )
}
