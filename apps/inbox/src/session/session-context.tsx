import { createContext, type ReactNode, use, useSyncExternalStore } from "react"
import type { BrowserSession, BrowserSessionState } from "./session.ts"

const SessionContext = createContext<BrowserSession | null>(null)

type SessionProviderProps = { readonly session: BrowserSession; readonly children: ReactNode }

export function SessionProvider({ session, children }: SessionProviderProps): ReactNode {
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): BrowserSession & { readonly now: BrowserSessionState } {
  const session = use(SessionContext)
  if (session === null) throw new Error("The session is missing from the page context.")
  const now = useSyncExternalStore(session.subscribe, session.state)
  return { ...session, now }
}
