import type { TextProblem } from "@byleave/api"
import type { EditorState, Extension } from "@codemirror/state"
import { activateHover, closeHoverTooltips, EditorView, hasHoverTooltips, hoverTooltip, keymap } from "@codemirror/view"
import { type HelpAt, helpAt } from "./help-at.ts"
import { drawnCode, drawnValues, drawnWords } from "./help-words.ts"
import { problemsAt } from "./problem-marks.ts"
import type { SchemaPart } from "./schema-help.ts"

type Said = { readonly problems: readonly TextProblem[]; readonly help: HelpAt | null }

/**
 * Shows, where the pointer rests, the problems of that place and what the schema says of the key. F1 shows the same at the caret, and reads
 * it aloud; Escape closes it.
 */
export function hoverHelp(schema: () => SchemaPart | null): Extension {
  const tooltip = hoverTooltip(
    ({ state }, pos, side) => {
      // Between two characters, the pointer is over one of them.
      const offset = side < 0 ? pos - 1 : pos
      const said = saidAt(state, offset, schema())
      if (said.help === null && said.problems.length === 0) return null
      const { from, to } = said.help ?? { from: offset, to: offset + 1 }
      return { pos: from, end: to, above: true, create: () => ({ dom: drawn(said) }) }
    },
    { hideOnChange: true },
  )
  const showAtCaret = (view: EditorView): true => {
    const { head } = view.state.selection.main
    activateHover(view, head, 1, {
      tooltip,
      until: ({ docChanged, selection }) => docChanged || selection !== undefined,
    })
    const words = drawn(saidAt(view.state, head, schema())).textContent
    view.dispatch({ effects: EditorView.announce.of(words === "" ? "No help here." : words) })
    return true
  }
  const hide = (view: EditorView): boolean => {
    if (!hasHoverTooltips(view.state)) return false
    view.dispatch({ effects: closeHoverTooltips })
    return true
  }
  return [
    tooltip,
    keymap.of([
      { key: "F1", preventDefault: true, run: showAtCaret },
      { key: "Escape", run: hide },
    ]),
  ]
}

function saidAt(state: EditorState, offset: number, schema: SchemaPart | null): Said {
  return {
    problems: problemsAt(state, offset),
    help: schema === null ? null : helpAt(schema, state.doc.toString(), offset),
  }
}

function drawn({ problems, help }: Said): HTMLElement {
  const box = document.createElement("div")
  box.className = "help"
  box.setAttribute("role", "tooltip")
  for (const { severity, message } of problems) {
    const line = drawnWords(message)
    line.className = `help-${severity}`
    box.append(line)
  }
  if (help === null) return box
  const name = document.createElement("p")
  name.className = "help-name"
  name.append(drawnCode(help.name), " ")
  box.append(name, drawnWords(help.description), drawnValues(help.values) ?? "")
  return box
}
