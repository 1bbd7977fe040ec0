import { Notice } from "@byleave/ui"
import type { ReactNode } from "react"
import { useRead } from "../../data/use-read.ts"

/** Said openly where it matters: that nobody is asked for a PIN here, or that this browser may not say yes. */
export function PresenceWords(): ReactNode {
  const me = useRead("me")
  if (me.state !== "ready") return null
  if (me.value.presence === "none") {
    return (
      <Notice tone="wait" title="PINs are turned off">
        The configuration sets “presence: none”: every signed-in browser can approve, whether or not a person is
        present. For demos and tests only.
      </Notice>
    )
  }
  if (me.value.present) return null
  return (
    <Notice tone="wait" title="This browser can only view and deny">
      It was signed in without a PIN. To approve calls, sign out and sign in again with a link from “byleave open” and
      your PIN.
    </Notice>
  )
}
