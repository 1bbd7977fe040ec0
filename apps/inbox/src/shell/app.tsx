import { Outlet, useRouterState } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense } from "react"
import { ClientProvider } from "../data/client.tsx"
import { LiveProvider } from "../data/live/live.tsx"
import { useSession } from "../session/session-context.tsx"
import { Shell } from "./shell.tsx"

const SignInPage = lazy(async () => ({ default: (await import("../pages/sign-in/sign-in-page.tsx")).SignInPage }))

/** The sign-in page for whoever is not signed in, wherever they are; else the pages in their shell. */
export function App(): ReactNode {
  const session = useSession()
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  if (session.now.status !== "in" || pathname === "/sign-in") {
    return (
      <Suspense fallback={null}>
        <SignInPage />
      </Suspense>
    )
  }
  return (
    <ClientProvider client={session.now.client}>
      <LiveProvider client={session.now.client}>
        <Shell>
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </Shell>
      </LiveProvider>
    </ClientProvider>
  )
}
