import { Button, Dialog, Notice, TextField } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import { pinProblem } from "./pin-problem.ts"

/** One's own PIN, by whoever knows it. */
export function ChangePinDialog({
  reviewer,
  onClose,
}: {
  readonly reviewer: string
  readonly onClose: () => void
}): ReactNode {
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
      <Dialog open onClose={onClose} title="Your PIN is changed" actions={<Button onClick={onClose}>Close</Button>}>
        <Notice tone="yes">It counts from now on, here and in the terminal.</Notice>
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Change my PIN"
      lead="You need it to sign a browser in and to say yes in the terminal. Browsers that are signed in stay so."
      actions={
        <>
          <Button onClick={onClose}>Leave it as it is</Button>
          <Button
            disabled={current === "" || wrong !== null}
            busy={change.isBusy && "Changing…"}
            onClick={() => void finish()}
          >
            Change PIN
          </Button>
        </>
      }
    >
      <PinField label="PIN until now" autoComplete="current-password" value={current} onChange={setCurrent} />
      <PinField
        label="New PIN"
        hint="At least six characters."
        autoComplete="new-password"
        value={pin}
        onChange={setPin}
      />
      <PinField
        label="New PIN, once more"
        autoComplete="new-password"
        value={again}
        error={again === "" ? undefined : (wrong ?? undefined)}
        onChange={setAgain}
      />
      <ProblemNotice problem={change.problem} />
    </Dialog>
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
