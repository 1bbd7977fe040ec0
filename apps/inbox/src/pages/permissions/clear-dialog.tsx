import type { GrantView } from "@byleave/api"
import { grantsDigest } from "@byleave/api/page"
import { Sentence } from "@byleave/ui"
import type { ReactNode } from "react"
import { useAct } from "../../data/use-act.ts"
import look from "./clear-dialog.module.css"
import { ConfirmDialog } from "./confirm-dialog.tsx"

/** Whose remembered answers are forgotten, all of them. */
export type Cleared =
  | { readonly of: "server"; readonly server: string; readonly grants: readonly GrantView[] }
  | {
      readonly of: "session"
      readonly session: { readonly principal: string; readonly id: string }
      readonly grants: readonly GrantView[]
    }

export function ClearDialog({
  cleared,
  onClose,
}: {
  readonly cleared: Cleared
  readonly onClose: () => void
}): ReactNode {
  const { act, isBusy, problem } = useAct("clearGrants")
  const clear = async (): Promise<void> => {
    const digest = await grantsDigest(cleared.grants)
    const of = cleared.of === "server" ? { server: cleared.server } : { session: cleared.session }
    const reply = await act({ body: { ...of, digest } })
    if (reply.ok) onClose()
  }
  const count = cleared.grants.length === 1 ? "1 remembered answer" : `${cleared.grants.length} remembered answers`
  const denies = cleared.grants.filter(({ effect }) => effect === "deny").length
  return (
    <ConfirmDialog
      title={cleared.of === "server" ? "Forget everything about this server?" : "Forget everything about this session?"}
      confirm={`Forget ${count}`}
      busyWords="Forgetting…"
      tone="no"
      isBusy={isBusy}
      problem={problem}
      onConfirm={() => void clear()}
      onClose={onClose}
    >
      <p>
        {count} will be gone. What they allowed asks again
        {denies > 0 ? "; what they denied asks, too, or runs where a rule allows it" : ""}. Rules stay as they are.
      </p>
      <ul className={look.list}>
        {cleared.grants.map((grant) => (
          <li key={grant.id}>
            <Sentence text={grant.words} />
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
