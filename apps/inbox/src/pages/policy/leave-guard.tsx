import { Button, Dialog } from "@byleave/ui"
import { useBlocker } from "@tanstack/react-router"
import type { ReactNode } from "react"

/** Asks before a page with unsaved text is left, by a link or by closing the window. */
export function LeaveGuard({ isEdited }: { readonly isEdited: boolean }): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: () => isEdited,
    enableBeforeUnload: () => isEdited,
    withResolver: true,
  })
  if (blocker.status !== "blocked") return null
  return (
    <Dialog
      open
      onClose={blocker.reset}
      title="Leave without saving?"
      actions={
        <>
          <Button onClick={blocker.reset}>Stay and keep the text</Button>
          <Button tone="no" onClick={blocker.proceed}>
            Leave and lose it
          </Button>
        </>
      }
    >
      <p>What you typed in the policy is not saved. If you leave this page, it is gone.</p>
    </Dialog>
  )
}
