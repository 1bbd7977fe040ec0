import { Button, Dialog } from "@byleave/ui"
import { useBlocker } from "@tanstack/react-router"
import type { ReactNode } from "react"

export type GuardedPage = { readonly pathname: string; readonly search: unknown }

type LeaveGuardProps = {
  readonly isEdited: boolean
  /** Whether going there loses what was typed; without it, going anywhere does. */
  readonly isLeft?: (from: GuardedPage, to: GuardedPage) => boolean
  readonly title: string
  readonly stay: string
  /** The edits that would be lost. */
  readonly children: string
}

/** Asks before what somebody typed is left unsaved, by a link, a key or by closing the window. */
export function LeaveGuard({ isEdited, isLeft, title, stay, children }: LeaveGuardProps): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isEdited && (isLeft?.(current, next) ?? true),
    enableBeforeUnload: () => isEdited,
    withResolver: true,
  })
  if (blocker.status !== "blocked") return null
  return (
    <Dialog
      open
      onClose={blocker.reset}
      title={title}
      actions={
        <>
          <Button onClick={blocker.reset}>{stay}</Button>
          <Button tone="no" onClick={blocker.proceed}>
            Discard and leave
          </Button>
        </>
      }
    >
      <p>{children}</p>
    </Dialog>
  )
}
