import type { DeviceView } from "@byleave/api"
import { ShownText } from "@byleave/ui"
import type { ReactNode } from "react"
import type { useAct } from "../../data/use-act.ts"
import { ConfirmDialog } from "../places/confirm-dialog.tsx"

type SignOutTerminalDialogProps = {
  readonly device: DeviceView
  readonly revoke: ReturnType<typeof useAct<"revokeDevice">>
  readonly onClose: () => void
}

/** A terminal has no link to come back by, so the way back is told before it is signed out. */
export function SignOutTerminalDialog({ device, revoke, onClose }: SignOutTerminalDialogProps): ReactNode {
  const finish = async (): Promise<void> => {
    if ((await revoke.act({ params: { id: device.id } })).ok) onClose()
  }
  return (
    <ConfirmDialog
      title="Sign out this terminal?"
      lead={<ShownText text={device.name} />}
      confirm="Sign out"
      busyWords="Signing out…"
      tone="no"
      act={revoke}
      onConfirm={() => void finish()}
      onClose={onClose}
    >
      <p>
        {device.presence
          ? "It can no longer approve calls or create sign-in links."
          : "It can no longer view or deny calls."}{" "}
        To sign it in again, run <code>byleave init</code> there.
      </p>
    </ConfirmDialog>
  )
}
