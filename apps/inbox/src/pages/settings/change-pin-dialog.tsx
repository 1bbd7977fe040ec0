import { Button, Dialog, Notice, TextField } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { ConfirmDialog } from "../places/confirm-dialog.tsx"
import { pinProblem } from "./pin-problem.ts"

type ChangePinDialogProps = { readonly reviewer: string; readonly onClose: () => void }

/** One's own PIN, by whoever knows it. */
export function ChangePinDialog({ reviewer, onClose }: ChangePinDialogProps): ReactNode {
  const [current, setCurrent] = useState("")
  const [pin, setPin] = useState("")
  const [again, setAgain] = useState("")
  const [isDone, setDone] = useState(false)
  const change = useAct("setPin")
  const wrong = pinProblem(pin, again)
  const finish = async (): Promise<void> => {
    if ((await change.act({ params: { id: reviewer }, body: { current, pin } })).ok) setDone(true)
  }
  if (isDone) {
    return (
      <Dialog open onClose={onClose} title="PIN changed" actions={<Button onClick={onClose}>Close</Button>}>
        <Notice tone="yes">Use the new PIN from now on, here and in the terminal.</Notice>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title="Change PIN"
      lead="You need it to sign in a browser and to approve calls in the terminal. Signed-in browsers stay signed in."
      confirm="Change PIN"
      busyWords="Changing…"
      disabled={current === "" || wrong !== null}
      act={change}
      onConfirm={() => void finish()}
      onClose={onClose}
    >
      <PinField label="Current PIN" autoComplete="current-password" value={current} onChange={setCurrent} />
      <PinField
        label="New PIN"
        hint="At least six characters."
        autoComplete="new-password"
        value={pin}
        onChange={setPin}
      />
      <PinField
        label="Repeat new PIN"
        autoComplete="new-password"
        value={again}
        error={again === "" ? undefined : (wrong ?? undefined)}
        onChange={setAgain}
      />
    </ConfirmDialog>
  )
}

type PinFieldProps = {
  readonly label: string
  readonly hint?: string
  readonly error?: string | undefined
  readonly autoComplete: "current-password" | "new-password" | "off"
  readonly value: string
  readonly onChange: (value: string) => void
}

export function PinField({ onChange, ...rest }: PinFieldProps): ReactNode {
  return <TextField {...rest} type="password" onChange={(event) => onChange(event.currentTarget.value)} />
}
