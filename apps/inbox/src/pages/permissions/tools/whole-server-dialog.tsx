import { Notice, ShownText, TextField, Tick } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useAct } from "../../../data/use-act.ts"
import { ConfirmDialog } from "../../places/confirm-dialog.tsx"
import look from "./whole-server-dialog.module.css"

export type WholeServer = {
  readonly server: string
  readonly effect: "allow" | "deny"
  /** Tools it lists now; null when they are not known. */
  readonly tools: readonly string[] | null
}

type WholeServerDialogProps = { readonly whole: WholeServer; readonly onClose: () => void }

/** Allows or denies all of a server, said as plainly as it is meant. */
export function WholeServerDialog({ whole, onClose }: WholeServerDialogProps): ReactNode {
  const change = useAct("addGrant")
  const [reason, setReason] = useState("")
  const [understood, setUnderstood] = useState(false)
  const { server, effect } = whole
  const add = async (): Promise<void> => {
    const given = reason.trim() === "" ? {} : { reason: reason.trim() }
    const reply = await change.act({ body: { effect, breadth: { kind: "server", server, access: "all" }, ...given } })
    if (reply.ok) onClose()
  }
  return (
    <ConfirmDialog
      title={effect === "allow" ? "Allow all tools of this server?" : "Deny all tools of this server?"}
      confirm={effect === "allow" ? "Always allow all tools" : "Always deny all tools"}
      busyWords="Saving…"
      tone={effect === "allow" ? "yes" : "no"}
      disabled={effect === "allow" && !understood}
      act={change}
      onConfirm={() => void add()}
      onClose={onClose}
    >
      <p className={look.server}>
        <ShownText text={server} />
      </p>
      {effect === "allow" ? <AllowMeans whole={whole} /> : <DenyMeans />}
      <TextField
        label="Reason (optional)"
        hint="Saved with the permission for other reviewers."
        maxLength={2_000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {effect === "allow" && (
        <Tick
          label="Every agent may use every tool of this server without approval."
          checked={understood}
          onChange={(event) => setUnderstood(event.currentTarget.checked)}
        />
      )}
    </ConfirmDialog>
  )
}

function AllowMeans({ whole }: { readonly whole: WholeServer }): ReactNode {
  const count =
    whole.tools === null
      ? "All its tools"
      : whole.tools.length === 1
        ? "Its 1 tool"
        : `All its ${whole.tools.length} tools`
  return (
    <Notice tone="wait" title="Calls will run without approval">
      <ul className={look.means}>
        <li>
          {count}, including those that write and delete, run immediately with whatever arguments an agent chooses.
        </li>
        <li>This applies to every agent and every session until you revoke it here.</li>
        <li>New or changed tools still wait until somebody accepts their definition.</li>
        <li>Rules that hide, deny or always ask still apply.</li>
      </ul>
    </Notice>
  )
}

function DenyMeans(): ReactNode {
  return (
    <Notice tone="know" title="No calls will run">
      <ul className={look.means}>
        <li>Every call is denied immediately, for every agent and every session, without asking for approval.</li>
        <li>This overrides every rule and permission that allows calls, until you revoke it here.</li>
        <li>Agents still see the tools. To hide them, write a rule.</li>
      </ul>
    </Notice>
  )
}
