import { type ReactNode, useEffect, useImperativeHandle, useLayoutEffect, useRef } from "react"
import type { CodeEditor } from "./code-editor/open-code-editor.ts"
import type { TextAreaProps } from "./editor-handle.ts"
import look from "./text-editor.module.css"
import type { CodeEditorProgram } from "./use-code-editor.ts"

/** The text with colours, suggestions and help; the program that draws it is loaded by whoever shows this. */
export function CodeArea({
  program,
  keys,
  ref,
  ...props
}: TextAreaProps & { readonly program: CodeEditorProgram; readonly keys: string }): ReactNode {
  const { text, problems, isLocked } = props
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<CodeEditor>(null)
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  useImperativeHandle(ref, () => ({
    focus: () => editor.current?.focus(),
    goTo: (line, column = 1) => editor.current?.select([line, column], [line, column]),
    select: (from, to) => editor.current?.select([from, 1], [to, Number.MAX_SAFE_INTEGER]),
  }))
  useLayoutEffect(() => {
    if (host.current === null) return
    const opened = program.openCodeEditor(host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" }), {
      label: latest.current.label,
      help: keys,
      text: latest.current.text,
      schema: program.schema,
      onText: (typed) => latest.current.onText(typed),
      onSave: () => latest.current.onSave(),
      tabIndents: () => latest.current.tabIndents,
    })
    editor.current = opened
    return () => {
      editor.current = null
      opened.close()
    }
  }, [program, keys])
  // In this order: problems are about the text that is there with them.
  useLayoutEffect(() => editor.current?.setText(text), [text])
  useLayoutEffect(() => editor.current?.setProblems(problems), [problems])
  useEffect(() => editor.current?.setLocked(isLocked), [isLocked])
  return <div ref={host} className={look.code} />
}
