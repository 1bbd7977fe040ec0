import type { GrantView } from "@byleave/api"
import { grantsDigest } from "@byleave/api/page"
import { Sentence } from "@byleave/ui"
import type { ReactNode } from "react"
import { useAct } from "../../../data/use-act.ts"
import { ConfirmDialog } from "../../places/confirm-dialog.tsx"
import look from "./clear-dialog.module.css"

/** Whose remembered answers are forgotten, all of them. */
export type Cleared =
  | { readonly of: "server"; readonly server: string; readonly grants: readonly GrantView[] }
  | {
      readonly of: "session"
      readonly session: { readonly principal: string; readonly id: string }
      readonly grants: readonly GrantView[]
    }

type ClearDialogProps = { readonly cleared: Cleared; readonly onClose: () => void }

export function ClearDialog({ cleared, onClose }: ClearDialogProps): ReactNode {
  const change = useAct("clearGrants")
  const clear = async (): Promise<void> => {
    const digest = await grantsDigest(cleared.grants)
    const of = cleared.of === "server" ? { server: cleared.server } : { session: cleared.session }
    const reply = await change.act({ body: { ...of, digest } })
    if (reply.ok) onClose()
  }
  const count = cleared.grants.length === 1 ? "1 permission" : `${cleared.grants.length} permissions`
  const denies = cleared.grants.filter(({ effect }) => effect === "deny").length
  return (
    <ConfirmDialog
      title={
        cleared.of === "server" ? "Revoke all permissions for this server?" : "Revoke all permissions for this session?"
      }
      confirm={`Revoke ${count}`}
      busyWords="Revoking…"
      tone="no"
      act={change}
      onConfirm={() => void clear()}
      onClose={onClose}
    >
      <p>
        {count} will be removed. Calls they allowed will need approval again
        {denies > 0 ? "; calls they denied will need approval, or run where a rule allows them" : ""}. Rules do not
        change.
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
