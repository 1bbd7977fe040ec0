import { createContext, type ReactNode, use, useSyncExternalStore } from "react"
import type { Session, SessionState } from "./session.ts"

const SessionContext = createContext<Session | null>(null)

export function SessionProvider({
  session,
  children,
}: {
  readonly session: Session
  readonly children: ReactNode
}): ReactNode {
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): Session & { readonly now: SessionState } {
  const session = use(SessionContext)
  if (session === null) throw new Error("The session is missing from the page context.")
  const now = useSyncExternalStore(session.subscribe, session.state)
  return { ...session, now }
}
