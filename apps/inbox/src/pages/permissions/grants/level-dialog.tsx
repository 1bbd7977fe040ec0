import type { GrantView } from "@byleave/api"
import { grantsDigest } from "@byleave/api/page"
import { Notice, Sentence } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useAct } from "../../../data/use-act.ts"
import { ConfirmDialog } from "../../places/confirm-dialog.tsx"
import { BeforeAfter } from "../before-after.tsx"
import { type GrantLevel, type LevelChoice, levelChoices } from "./grant-levels.ts"
import look from "./level-dialog.module.css"

type LevelDialogProps = { readonly grant: GrantView; readonly onClose: () => void }

/** Gives a grant another level; what will hold instead is told before it does. */
export function LevelDialog({ grant, onClose }: LevelDialogProps): ReactNode {
  const change = useAct("setGrantLevel")
  const [level, setLevel] = useState<GrantLevel | null>(null)
  // The grant as it was when the dialog opened: one that changed meanwhile is refused by its version, never overwritten.
  const [shown] = useState(grant)
  const [choices] = useState(() => levelChoices(grant, Date.now()))
  const chosen = choices.find((choice) => choice.level === level)
  const save = async (): Promise<void> => {
    if (chosen === undefined) return
    const digest = await grantsDigest([shown])
    const body = { level: chosen.level, version: shown.version, digest }
    const reply = await change.act({ params: { id: shown.id }, body })
    if (reply.ok) onClose()
  }
  return (
    <ConfirmDialog
      title="Change permission"
      confirm={chosen === undefined ? "Choose a level" : chosen.label}
      busyWords="Changing…"
      tone={toneOf(chosen)}
      disabled={chosen === undefined}
      act={change}
      onConfirm={() => void save()}
      onClose={onClose}
    >
      <fieldset className={look.levels}>
        <legend>New level</legend>
        {choices.map((choice) => (
          <LevelOption key={choice.level} choice={choice} isChosen={choice === chosen} onChoose={setLevel} />
        ))}
      </fieldset>
      {chosen !== undefined && (
        <BeforeAfter before={<Sentence text={`${shown.words}.`} />} after={<Sentence text={chosen.words} />} />
      )}
      {chosen?.widens === true && chosen.level !== "Ask" && (
        <Notice tone="wait">This lets more calls run without approval.</Notice>
      )}
    </ConfirmDialog>
  )
}

function toneOf(chosen: LevelChoice | undefined): "plain" | "yes" | "no" {
  if (chosen?.widens === true) return "yes"
  return chosen?.level === "DenyAlways" ? "no" : "plain"
}

function LevelOption(props: {
  readonly choice: LevelChoice
  readonly isChosen: boolean
  readonly onChoose: (level: GrantLevel) => void
}): ReactNode {
  const { choice, isChosen, onChoose } = props
  return (
    <label className={look.level}>
      <input type="radio" name="level" checked={isChosen} onChange={() => onChoose(choice.level)} />
      <span>{choice.label}</span>
    </label>
  )
}
