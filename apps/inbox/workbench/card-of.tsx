import type { ApprovalView } from "@byleave/api"
import { ApprovalCard, type CardActions } from "@byleave/ui"
import type { ComponentProps, ReactNode } from "react"
import { fileAfter, fileBefore, now, server, session } from "./calls.ts"

export const nothing = (): void => undefined

export const idleActions: CardActions = {
  onVerdict: nothing,
  onTakeBack: nothing,
  onExtend: nothing,
  onRevoke: nothing,
  onRunNow: nothing,
  onRerun: nothing,
  loadUndo: async (approval) => ({
    kind: "ready",
    path: "/home/me/main.ts",
    tool: approval.tool,
    args: { path: "/home/me/main.ts", content: fileBefore },
    now: fileAfter,
    before: fileBefore,
    readAt: now,
  }),
  onPutBack: async () => true,
  onAccept: nothing,
  onFollow: nothing,
}

/** A card that reports to nobody. No card of the workbench has the keys: there are many on the page. */
export function CardOf(
  props: { readonly approval: ApprovalView } & Partial<ComponentProps<typeof ApprovalCard>>,
): ReactNode {
  return (
    <ApprovalCard
      server={server}
      session={session}
      pin={null}
      current={null}
      alsoWaiting={[]}
      verdict={{ state: "none" }}
      actions={idleActions}
      isFresh={false}
      hasKeys={false}
      loadPreview={async () => ({ risks: [], current: { kind: "unavailable", why: "Not read here." }, refused: null })}
      {...props}
    />
  )
}
