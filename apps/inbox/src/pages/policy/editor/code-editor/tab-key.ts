import { indentMore } from "@codemirror/commands"
import type { Extension } from "@codemirror/state"
import { EditorView, keymap } from "@codemirror/view"

/** Tab indents where the user chose that, and leaves the editor otherwise; after Escape it leaves in any case. */
export function tabKey(indents: () => boolean): Extension {
  let isEscaped = false
  return [
    EditorView.domEventHandlers({
      keydown: ({ key }) => {
        if (key !== "Tab" && key !== "Shift") isEscaped = key === "Escape"
        return false
      },
    }),
    keymap.of([{ key: "Tab", run: (view) => indents() && !isEscaped && indent(view) }]),
  ]
}

function indent(view: EditorView): boolean {
  if (!view.state.selection.main.empty) return indentMore(view)
  view.dispatch(view.state.replaceSelection("  "))
  return true
}
