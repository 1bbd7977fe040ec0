import { Notice } from "@byleave/ui"
import { useNavigate, useRouterState } from "@tanstack/react-router"
import { type ReactNode, useEffect } from "react"
import { useSession } from "../../session/session-context.tsx"
import { HowToSignIn } from "./how-to-sign-in.tsx"
import { SignInForm } from "./sign-in-form.tsx"
import look from "./sign-in-page.module.css"

/** Registers this browser's key by a one-time link; without one, says how to get it. */
export function SignInPage(): ReactNode {
  const session = useSession()
  const navigate = useNavigate()
  const isHere = useRouterState({ select: (state) => state.location.pathname === "/sign-in" })
  const secret = session.secret()
  const isDone = session.now.status === "in" && secret === null
  useEffect(() => {
    document.title = "Sign in · Byleave"
  }, [])
  useEffect(() => {
    if (isDone && isHere) void navigate({ to: "/", replace: true })
  }, [isDone, isHere, navigate])
  if (isDone) return null
  return (
    <main className={look.page}>
      <div className={look.slip}>
        <div className={look.stub} aria-hidden="true">
          <img src="/icon.svg" alt="" width="40" height="40" />
        </div>
        <div className={look.body}>
          <h1 tabIndex={-1}>{secret === null ? "Sign in this browser" : "Sign in to Byleave"}</h1>
          <WhyOut />
          {secret === null ? <HowToSignIn /> : <SignInForm secret={secret} />}
        </div>
      </div>
    </main>
  )
}

function WhyOut(): ReactNode {
  const { now } = useSession()
  if (now.status !== "out" || now.why === "never") return null
  if (now.why === "signed-out") {
    return (
      <Notice tone="yes" title="You are signed out">
        This browser’s key was deleted. Waiting calls keep waiting.
      </Notice>
    )
  }
  if (now.why === "untold") {
    return (
      <Notice tone="wait" title="This browser’s key was deleted">
        Byleave could not be notified and still lists this browser as signed in. The key can no longer be used; you can
        remove the entry in Settings.
      </Notice>
    )
  }
  return (
    <Notice tone="no" title="This browser was signed out">
      Somebody signed it out or removed you as a reviewer. Nothing that was shown is stored here.
    </Notice>
  )
}
