import type { SessionView } from "@byleave/api"
import { BatchBar, BatchDialog, Button, Notice } from "@byleave/ui"
import { type ReactNode, useMemo, useState } from "react"
import { useClient } from "../../data/client.tsx"
import { useWaitingCalls } from "../../data/live/live.tsx"
import { callLoader } from "../../data/load-calls.ts"
import { useBatch } from "../waiting/answer/use-batch.ts"
import { WaitingLink } from "./waiting-link.tsx"

/** The waiting calls of a session, and one denial of all of them: each call by its own id, as the dialog lists it. */
export function DenyWaiting({ session }: { readonly session: SessionView }): ReactNode {
  const { calls } = useWaitingCalls()
  const waiting = useMemo(() => calls.filter(({ sessionKey }) => sessionKey === session.key), [calls, session.key])
  const [isOpen, setOpen] = useState(false)
  const client = useClient()
  const loadCalls = useMemo(() => callLoader(client), [client])
  const batch = useBatch(() => undefined)
  if (batch.answers !== null || batch.unsent !== null || batch.isSending) {
    return <BatchBar chosen={[]} loadCalls={loadCalls} {...batch} />
  }
  if (waiting.length === 0) return null
  return (
    <>
      <Notice
        tone="wait"
        title={
          waiting.length === 1
            ? "1 call is waiting for a decision"
            : `${waiting.length} calls are waiting for a decision`
        }
        actions={
          <Button tone="no" onClick={() => setOpen(true)}>
            {waiting.length === 1 ? "Deny it…" : `Deny all ${waiting.length}…`}
          </Button>
        }
      >
        <WaitingLink session={{ ...session, waiting: waiting.length }}>Review them one by one</WaitingLink>
      </Notice>
      {isOpen && (
        <BatchDialog
          kind="deny"
          calls={waiting}
          leftOut={[]}
          loadCalls={loadCalls}
          onClose={() => setOpen(false)}
          onSend={(verdicts) => {
            setOpen(false)
            batch.onSend(verdicts)
          }}
        />
      )}
    </>
  )
}
