import type { TextProblem } from "@byleave/api"
import { Tick } from "@byleave/ui"
import { type KeyboardEvent, type ReactNode, type Ref, useId, useImperativeHandle, useRef, useState } from "react"
import { LineNumbers } from "./line-numbers.tsx"
import look from "./text-editor.module.css"
import { offsetOf } from "./text-lines.ts"

/** What others may do with the editor. */
export type EditorHandle = {
  /** Back to where the caret was. */
  readonly focus: () => void
  /** Puts the caret at a line, where it is seen. */
  readonly goTo: (line: number, column?: number) => void
  /** Marks these lines, as if the user had selected them. */
  readonly select: (from: number, to: number) => void
}

type TextEditorProps = {
  readonly label: string
  readonly text: string
  readonly problems: readonly TextProblem[]
  readonly isLocked: boolean
  readonly onText: (text: string) => void
  /** Ctrl+S or Cmd+S. */
  readonly onSave: () => void
  readonly ref: Ref<EditorHandle>
}

/**
 * A plain text area with line numbers beside it and marks at lines that have a problem. Long lines go on below themselves, so that nothing
 * lies out of sight to the right. Tab leaves it, unless the user chose otherwise.
 */
export function TextEditor({ label, text, problems, isLocked, onText, onSave, ref }: TextEditorProps): ReactNode {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const numbers = useRef<HTMLOListElement>(null)
  const [indents, setIndents] = useState(false)
  const escaped = useRef(false)
  useImperativeHandle(ref, () => ({
    focus: () => area.current?.focus(),
    goTo: (line, column = 1) => {
      place(area.current, [line, column], [line, column])
      showLine(numbers.current, line)
    },
    select: (from, to) => {
      place(area.current, [from, 1], [to, Number.MAX_SAFE_INTEGER])
      showLine(numbers.current, from)
    },
  }))
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
      event.preventDefault()
      onSave()
    } else if (event.key === "Escape") {
      escaped.current = true
    } else if (event.key === "Tab" && indents && !event.shiftKey && !escaped.current) {
      event.preventDefault()
      insertSpaces(event.currentTarget, onText)
    } else if (event.key !== "Shift") {
      escaped.current = false
    }
  }
  return (
    <div className={look.editor}>
      <div className={look.head}>
        <label htmlFor={id}>{label}</label>
        <Tick
          label="Tab key indents"
          words={indents ? "Press Escape, then Tab to leave the editor." : undefined}
          checked={indents}
          onChange={(event) => setIndents(event.currentTarget.checked)}
        />
      </div>
      <div className={look.frame}>
        <LineNumbers ref={numbers} text={text} problems={problems} />
        <textarea
          ref={area}
          id={id}
          className={look.text}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          readOnly={isLocked}
          aria-invalid={problems.some(({ severity }) => severity === "error")}
          aria-describedby={`${id}-keys`}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <p id={`${id}-keys`} className={look.keys}>
        <kbd>Ctrl</kbd> or <kbd>Cmd</kbd> with <kbd>S</kbd> reviews the changes. Nothing is saved until then.
      </p>
    </div>
  )
}

type Place = readonly [line: number, column: number]

function place(area: HTMLTextAreaElement | null, from: Place, to: Place): void {
  if (area === null) return
  area.focus({ preventScroll: true })
  area.setSelectionRange(offsetOf(area.value, ...from), offsetOf(area.value, ...to))
}

function showLine(numbers: HTMLOListElement | null, line: number): void {
  const last = numbers?.lastElementChild
  const shown = numbers?.children.item(line - 1) ?? last
  shown?.scrollIntoView({ block: "center" })
}

/** By the browser's own editing where it offers that, so that undoing works. */
function insertSpaces(area: HTMLTextAreaElement, onText: (text: string) => void): void {
  if (document.execCommand("insertText", false, "  ")) return
  area.setRangeText("  ", area.selectionStart, area.selectionEnd, "end")
  onText(area.value)
}
