import type { ReactNode } from "react"
import look from "./sign-in-page.module.css"

export function HowToSignIn(): ReactNode {
  return (
    <>
      <p>
        Byleave asks people before their agents do things. To decide here, this browser needs a link that only you can
        make. In a terminal on the machine where Byleave runs:
      </p>
      <pre className={look.command}>
        <code>byleave open</code>
      </pre>
      <p className={look.soft}>
        It asks for your PIN and opens the link, which works once, for ten minutes. From the project’s folder,{" "}
        <code>npm start</code> prints such a link as well. If somebody else runs Byleave for you, ask them for one.
      </p>
    </>
  )
}
