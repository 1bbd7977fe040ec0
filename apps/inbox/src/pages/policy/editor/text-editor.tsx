import { Loading, Tick } from "@byleave/ui"
import { type ReactNode, useId, useState } from "react"
import { CodeArea } from "./code-area.tsx"
import type { TextAreaProps } from "./editor-handle.ts"
import { PlainArea } from "./plain-area.tsx"
import look from "./text-editor.module.css"
import { useCodeEditor } from "./use-code-editor.ts"

/** Where the text is typed, with its name above and its keys below. Tab leaves it, unless the user chose otherwise. */
export function TextEditor(props: Omit<TextAreaProps, "tabIndents">): ReactNode {
  const { label } = props
  const id = useId()
  const [tabIndents, setTabIndents] = useState(false)
  const editor = useCodeEditor()
  return (
    <div className={look.editor}>
      <div className={look.head}>
        {/* Both places carry the same words as their own label. */}
        <span className={look.name} aria-hidden="true">
          {label}
        </span>
        <Tick
          label="Tab key indents"
          words={tabIndents ? "Press Escape, then Tab to leave the editor." : undefined}
          checked={tabIndents}
          onChange={(event) => setTabIndents(event.currentTarget.checked)}
        />
      </div>
      {editor.state === "loading" && <Loading label="Loading the editor" lines={8} />}
      {editor.state === "failed" && <PlainArea {...props} tabIndents={tabIndents} keysId={id} />}
      {editor.state === "loaded" && (
        <CodeArea {...props} tabIndents={tabIndents} program={editor.program} keys={`${suggests} ${reviews}`} />
      )}
      <p id={id} className="aside">
        {editor.state !== "failed" && (
          <>
            <kbd>Ctrl</kbd>+<kbd>Space</kbd> suggests keys and values; <kbd>F1</kbd> explains the word at the cursor.{" "}
          </>
        )}
        <kbd>Ctrl</kbd>+<kbd>S</kbd> or <kbd>Cmd</kbd>+<kbd>S</kbd> reviews your changes; nothing is saved before that.
      </p>
    </div>
  )
}

const suggests = "Ctrl+Space suggests keys and values; F1 explains the word at the cursor."
const reviews = "Ctrl+S or Cmd+S reviews your changes; nothing is saved before that."
