import { type KeyboardEvent, type ReactNode, useImperativeHandle, useRef } from "react"
import type { TextAreaProps } from "./editor-handle.ts"
import { LineNumbers } from "./line-numbers.tsx"
import look from "./text-editor.module.css"
import { offsetOf } from "./text-lines.ts"

/**
 * A plain text area with line numbers beside it and marks at lines that have a problem: it is there where the program of the other editor
 * cannot be loaded. Long lines go on below themselves, so that nothing lies out of sight to the right.
 */
export function PlainArea(props: TextAreaProps & { readonly keysId: string }): ReactNode {
  const { label, text, problems, isLocked, tabIndents, onText, onSave, ref, keysId } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const numbers = useRef<HTMLOListElement>(null)
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
    } else if (event.key === "Tab" && tabIndents && !event.shiftKey && !escaped.current) {
      event.preventDefault()
      insertSpaces(event.currentTarget, onText)
    } else if (event.key !== "Shift") {
      escaped.current = false
    }
  }
  return (
    <div className={look.frame}>
      <LineNumbers ref={numbers} text={text} problems={problems} />
      <textarea
        ref={area}
        className={look.text}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        readOnly={isLocked}
        aria-label={label}
        aria-invalid={problems.some(({ severity }) => severity === "error")}
        aria-describedby={keysId}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
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
