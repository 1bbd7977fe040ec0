import type { TextProblem } from "@byleave/api"
import type { Ref } from "react"

/** Actions on the editor from outside it. */
export type EditorHandle = {
  /** Back to where the caret was. */
  readonly focus: () => void
  /** Puts the caret at a line, where it is seen. */
  readonly goTo: (line: number, column?: number) => void
  /** Marks these lines, as if the user had selected them. */
  readonly select: (from: number, to: number) => void
}

/** The props of whatever edits the text: the editor, or the plain text area. */
export type TextAreaProps = {
  readonly label: string
  readonly text: string
  readonly problems: readonly TextProblem[]
  readonly isLocked: boolean
  /** The Tab key indents instead of leaving. */
  readonly tabIndents: boolean
  readonly onText: (text: string) => void
  /** Ctrl+S or Cmd+S. */
  readonly onSave: () => void
  readonly ref: Ref<EditorHandle>
}
