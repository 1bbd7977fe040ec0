import type { ReviewerView } from "@byleave/api"
import { TextField } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { ConfirmDialog } from "../places/confirm-dialog.tsx"
import { PinField } from "./change-pin-dialog.tsx"
import { listOfNames } from "./list-of-names.ts"
import { pinProblem } from "./pin-problem.ts"

type AddPersonDialogProps = {
  readonly needsPin: boolean
  readonly onClose: () => void
  readonly onAdded: (person: ReviewerView) => void
}

/** A person, their groups, and a PIN they change later. A sign-in link for them comes next. */
export function AddPersonDialog({ needsPin, onClose, onAdded }: AddPersonDialogProps): ReactNode {
  const [name, setName] = useState("")
  const [id, setId] = useState("")
  const [groups, setGroups] = useState("")
  const [pin, setPin] = useState("")
  const [again, setAgain] = useState("")
  const add = useAct("addReviewer")
  const wrong = needsPin ? pinProblem(pin, again) : null
  const finish = async (): Promise<void> => {
    const body = { id: id.trim(), name: name.trim(), groups: [...listOfNames(groups)], ...(needsPin ? { pin } : {}) }
    const added = await add.act({ body })
    if (added.ok) onAdded(added.value)
  }
  return (
    <ConfirmDialog
      title="Add reviewer"
      lead="They can decide everything you can, except calls that require a group they are not in."
      confirm="Add reviewer"
      busyWords="Adding…"
      disabled={name.trim() === "" || id.trim() === "" || wrong !== null}
      act={add}
      onConfirm={() => void finish()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoComplete="off"
        maxLength={120}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextField
        label="ID"
        hint="Used in records and rules. Letters and digits, then also . _ @ -"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
      />
      <TextField
        label="Groups"
        hint="Optional, separated by commas, such as ops, release"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={groups}
        onChange={(event) => setGroups(event.currentTarget.value)}
      />
      {needsPin && (
        <>
          <PinField
            label="PIN"
            hint="Let them type it, or choose one together; they can change it later. At least six characters."
            autoComplete="new-password"
            value={pin}
            onChange={setPin}
          />
          <PinField
            label="Repeat PIN"
            autoComplete="new-password"
            value={again}
            error={again === "" ? undefined : (wrong ?? undefined)}
            onChange={setAgain}
          />
        </>
      )}
    </ConfirmDialog>
  )
}
