import type { GrantView } from "@byleave/api"
import { grantsDigest } from "@byleave/api/page"
import { Sentence } from "@byleave/ui"
import type { ReactNode } from "react"
import { useAct } from "../../../data/use-act.ts"
import { ConfirmDialog } from "../../places/confirm-dialog.tsx"
import { BeforeAfter } from "../before-after.tsx"
import { forgottenWords } from "./grant-levels.ts"

type ForgetDialogProps = { readonly grant: GrantView; readonly onClose: () => void }

/** Revokes a grant. Forgetting a no may let something run, so both kinds say what follows. */
export function ForgetDialog({ grant, onClose }: ForgetDialogProps): ReactNode {
  const change = useAct("revokeGrant")
  const forget = async (): Promise<void> => {
    const reply = await change.act({ params: { id: grant.id }, body: { digest: await grantsDigest([grant]) } })
    if (reply.ok) onClose()
  }
  return (
    <ConfirmDialog
      title={grant.effect === "allow" ? "Revoke this permission?" : "Remove this denial?"}
      confirm="Revoke"
      busyWords="Revoking…"
      tone={grant.effect === "allow" ? "no" : "plain"}
      act={change}
      onConfirm={() => void forget()}
      onClose={onClose}
    >
      <BeforeAfter before={<Sentence text={`${grant.words}.`} />} after={forgottenWords[grant.effect]} />
    </ConfirmDialog>
  )
}
