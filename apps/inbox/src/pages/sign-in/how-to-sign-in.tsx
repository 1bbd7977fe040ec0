import type { ReactNode } from "react"
import look from "./sign-in-page.module.css"

export function HowToSignIn(): ReactNode {
  return (
    <>
      <p>
        To review calls here, this browser needs a sign-in link. Run this in a terminal on the machine where Byleave
        runs:
      </p>
      <pre className={look.command}>
        <code>byleave open</code>
      </pre>
      <p className="soft">
        It asks for your PIN and opens a link that works once, for ten minutes. In the project folder,{" "}
        <code>npm start</code> prints a link as well. If somebody else runs Byleave for you, ask them for a link.
      </p>
    </>
  )
}
