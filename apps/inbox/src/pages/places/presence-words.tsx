import { Notice } from "@byleave/ui"
import type { ReactNode } from "react"
import { useRead } from "../../data/use-read.ts"

/** Said openly where it matters: that nobody is asked for a PIN here, or that this browser may not say yes. */
export function PresenceWords(): ReactNode {
  const me = useRead("me")
  if (me.state !== "ready") return null
  if (me.value.presence === "none") {
    return (
      <Notice tone="wait" title="PINs are switched off here">
        The configuration says “presence: none”: every signed-in browser may say yes, whether a person sits there or
        not. It is meant for demonstrations and tests.
      </Notice>
    )
  }
  if (me.value.present) return null
  return (
    <Notice tone="wait" title="This browser may look and deny only">
      It was signed in without a PIN. Sign out and in again with a link from “byleave open” and your PIN to say yes.
    </Notice>
  )
}
