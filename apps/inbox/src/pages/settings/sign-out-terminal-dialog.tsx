import type { DeviceView } from "@byleave/api"
import { Button, Dialog, ShownText } from "@byleave/ui"
import type { ReactNode } from "react"
import type { useAct } from "../../data/use-act.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"

/** A terminal has no link to come back by, so the way back is told before it is signed out. */
export function SignOutTerminalDialog({
  device,
  revoke,
  onClose,
}: {
  readonly device: DeviceView
  readonly revoke: ReturnType<typeof useAct<"revokeDevice">>
  readonly onClose: () => void
}): ReactNode {
  const finish = async (): Promise<void> => {
    if ((await revoke.act({ params: { id: device.id } })).ok) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Sign out this terminal?"
      lead={<ShownText text={device.name} />}
      actions={
        <>
          <Button onClick={onClose}>Keep it signed in</Button>
          <Button tone="no" busy={revoke.isBusy && "Signing out…"} onClick={() => void finish()}>
            Sign it out
          </Button>
        </>
      }
    >
      <p>
        {device.presence
          ? "Nothing can be allowed from it any more, nor can it make a link that signs in a browser."
          : "Nothing can be looked at or denied from it any more."}{" "}
        To sign it in again, run <code>byleave init</code> there.
      </p>
      <ProblemNotice problem={revoke.problem} />
    </Dialog>
  )
}
