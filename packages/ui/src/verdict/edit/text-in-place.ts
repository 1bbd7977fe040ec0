/**
 * A file's new text, edited where the card shows what it would change.
 *
 * I1. It is the one edit of the call's arguments, in another place than its fields: nothing is edited twice.
 * I2. Only a text that a plain box shows as it is: what hides in a text is edited as JSON, in the fields.
 */
import type { FileChange } from "@byleave/api"
import { pointerTo } from "@byleave/core"
import type { ArgumentEdit } from "./use-argument-edit.ts"

export type TextInPlace = {
  /** The text in the box. */
  readonly text: string
  readonly problem: string | null
  /** The box is open. Else its text is shown as a difference. */
  readonly isOpen: boolean
  /** The shown text is not the one that the agent sent. */
  readonly isEdited: boolean
  /** Nothing can be typed or begun now. */
  readonly isOff: boolean
  readonly start: () => void
  readonly change: (text: string) => void
  readonly showChange: () => void
  readonly discard: () => void
}

/** Null: what the call changes is no text that one argument holds, or it is edited in the fields. */
export function textInPlace(edit: ArgumentEdit, changes: readonly FileChange[], isOff: boolean): TextInPlace | null {
  const [change, ...others] = changes
  if (change === undefined || others.length > 0 || edit.place === "form") return null
  if (change.how !== "write" && change.how !== "add") return null
  const field = edit.fields.find(({ key }) => change.pointers.length === 1 && change.pointers[0] === pointerTo("", key))
  if (field === undefined || field.text === null || (field.kind !== "text" && field.kind !== "long")) return null
  return {
    text: edit.texts.get(field.key) ?? field.text,
    problem: edit.problems.get(field.key) ?? edit.problems.get("") ?? null,
    isOpen: edit.place === "in-place",
    isEdited: edit.place === "shown",
    isOff,
    start: edit.startInPlace,
    change: (text) => edit.change(field.key, text),
    showChange: edit.showChange,
    discard: edit.stop,
  }
}
