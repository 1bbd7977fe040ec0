import type { FileChange, TextEdit } from "@byleave/api"
import type { ReactNode } from "react"
import { DiffLines } from "../diff/diff-lines.tsx"
import { useSteps } from "./arguments/folds.ts"
import { MoreSteps } from "./arguments/shown-value.tsx"
import { DiffView, TextLines } from "./changes/diff-view.tsx"
import { patchLines } from "./changes/patch-lines.ts"

/**
 * A change as the call sent it, where it is not compared with the file. Nothing of it is folded as unchanged: that an old text stands in the
 * file is the agent's claim. `isNew`: there is nothing it could replace.
 */
export function AsSent({ change, isNew }: { readonly change: FileChange; readonly isNew: boolean }): ReactNode {
  const steps = useSteps(change.edits.length, editsAtFirst, editsAtOnce, { linesOfEach: linesOfEdit })
  if (change.how === "write" && !isNew) {
    const text = change.edits[0]?.after ?? ""
    return text === "" ? (
      <p className="aside">The text is empty.</p>
    ) : (
      <TextLines text={text} label="The text as sent" />
    )
  }
  return (
    <>
      {change.edits.slice(0, steps.shown).map((edit, at) => (
        <Edit
          // biome-ignore lint/suspicious/noArrayIndexKey: edits have no other name than their place
          key={at}
          edit={edit}
          number={change.edits.length === 1 ? null : at + 1}
          isWhole={change.how === "write"}
        />
      ))}
      <MoreSteps steps={steps} one="edit" />
    </>
  )
}

const editsAtFirst = 50
const editsAtOnce = 200
const linesOfEdit = 4

type EditProps = {
  readonly edit: TextEdit
  /** Null where it is the only one. */
  readonly number: number | null
  readonly isWhole: boolean
}

function Edit({ edit, number, isWhole }: EditProps): ReactNode {
  const label = number === null ? "The text as sent" : `Edit ${number} as sent`
  if (edit.before === null && edit.after === "") return <p className="aside">The text is empty.</p>
  return (
    <>
      {number !== null && <p className="aside">Edit {number}:</p>}
      {edit.everywhere && <p className="aside">Wherever it occurs in the file:</p>}
      <DiffView
        before={edit.before ?? ""}
        after={edit.after}
        label={label}
        hasNumbers={isWhole}
        foldsUnchanged={false}
      />
    </>
  )
}

/** Nothing of it is folded as unchanged: nobody has compared it with a file, and between its lines stand orders such as `*** Delete File: …`. */
export function AsPatch({ change }: { readonly change: FileChange }): ReactNode {
  const patch = change.edits[0]?.after ?? ""
  return (
    <>
      <p className="aside">Patch as sent.</p>
      <DiffLines lines={patchLines(patch)} label="The patch as sent" hasNumbers={false} isCompared={false} />
    </>
  )
}
