import type { TextProblem } from "@byleave/api"
import { autocompletion, completionKeymap } from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { yaml } from "@codemirror/lang-yaml"
import { type ChangeSpec, Compartment, EditorState, type Extension, Transaction } from "@codemirror/state"
import { EditorView, highlightSpecialChars, keymap, lineNumbers, type Rect, tooltips } from "@codemirror/view"
import { offsetOf } from "../text-lines.ts"
import { editorLook } from "./editor-look.ts"
import { hoverHelp } from "./hover-help.ts"
import { nextIndent } from "./next-indent.ts"
import { problemMarks, setProblems } from "./problem-marks.ts"
import { schemaCompletion } from "./schema-completion.ts"
import type { SchemaPart } from "./schema-help.ts"
import { tabKey } from "./tab-key.ts"

export type CodeEditorOptions = {
  readonly label: string
  /** Read by a screen reader after the label. */
  readonly help: string
  readonly text: string
  /** Null until it is there. */
  readonly schema: () => SchemaPart | null
  readonly onText: (text: string) => void
  readonly onSave: () => void
  /** Says whether the Tab key indents; otherwise it leaves the editor. */
  readonly tabIndents: () => boolean
}

export type CodeEditor = {
  /** Puts another text in place of this one; `onText` is not told of it. */
  readonly setText: (text: string) => void
  readonly setProblems: (problems: readonly TextProblem[]) => void
  readonly setLocked: (isLocked: boolean) => void
  readonly focus: () => void
  /** Selects from one line and column to another, where it is seen. */
  readonly select: (from: readonly [number, number], to: readonly [number, number]) => void
  readonly close: () => void
}

/**
 * Opens the editor in a shadow root. There its styles are adopted style sheets; in the document they would be a `<style>` element, which the
 * page's security policy refuses.
 */
export function openCodeEditor(root: ShadowRoot, options: CodeEditorOptions): CodeEditor {
  const lock = new Compartment()
  const state = EditorState.create({ doc: options.text, extensions: [lock.of([]), extensionsFor(options)] })
  const view = new EditorView({ root, parent: root, state })
  return {
    setText: (text) => {
      const now = view.state.doc.toString()
      if (now !== text) view.dispatch({ changes: changeOf(now, text), annotations: Transaction.remote.of(true) })
    },
    setProblems: (problems) => view.dispatch({ effects: setProblems.of(problems) }),
    setLocked: (isLocked) => view.dispatch({ effects: lock.reconfigure(EditorState.readOnly.of(isLocked)) }),
    focus: () => view.focus(),
    select: (from, to) => {
      const text = view.state.doc.toString()
      const [anchor, head] = [offsetOf(text, ...from), offsetOf(text, ...to)]
      view.focus()
      view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) })
    },
    close: () => view.destroy(),
  }
}

function extensionsFor(options: CodeEditorOptions): Extension {
  return [
    // A lone carriage return stays a character: the file gets back what it had.
    EditorState.lineSeparator.of("\n"),
    EditorState.phrases.of({ Completions: "Suggestions" }),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      "aria-label": options.label,
      "aria-description": options.help,
      // It can be reached by Tab without this; programs that check pages for accessibility only know it with it.
      tabindex: "0",
    }),
    EditorView.updateListener.of(({ docChanged, transactions, state }) => {
      if (docChanged && !transactions.every((each) => each.annotation(Transaction.remote))) {
        options.onText(state.doc.toString())
      }
    }),
    lineNumbers(),
    highlightSpecialChars(),
    history(),
    yaml(),
    nextIndent,
    autocompletion({ override: [schemaCompletion(options.schema)], icons: false, positionInfo }),
    hoverHelp(options.schema),
    tooltips({ position: "fixed", tooltipSpace }),
    problemMarks,
    tabKey(options.tabIndents),
    keymap.of([
      { key: "Mod-s", preventDefault: true, run: () => told(options.onSave) },
      ...completionKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    editorLook,
  ]
}

/** Popups keep off the edges of the window. */
function tooltipSpace({ dom: { ownerDocument } }: EditorView): Rect {
  const { clientWidth, clientHeight } = ownerDocument.documentElement
  return { top: 8, left: 8, bottom: clientHeight - 8, right: clientWidth - 8 }
}

/** The words about a suggestion stand beside the list, or where a window is too narrow for that, below or above it. */
function positionInfo(
  _view: EditorView,
  list: Rect,
  option: Rect,
  info: Rect,
  space: Rect,
): { readonly style: string } {
  const [width, height] = [info.right - info.left, info.bottom - info.top]
  const top = Math.max(0, Math.min(option.top, space.bottom - height) - list.top)
  if (space.right - list.right > width) return { style: `left: 100%; top: ${top}px` }
  if (list.left - space.left > width) return { style: `right: 100%; top: ${top}px` }
  const side = space.bottom - list.bottom > height ? "top" : "bottom"
  return { style: `left: 0; ${side}: 100%; max-width: ${space.right - list.left}px; margin: 0.25rem 0` }
}

function told(tell: () => void): true {
  tell()
  return true
}

/** Returns the smallest change that makes one text of the other, so that the caret stays where it is. */
function changeOf(before: string, after: string): ChangeSpec {
  const least = Math.min(before.length, after.length)
  let from = 0
  while (from < least && before[from] === after[from]) from += 1
  let same = 0
  while (same < least - from && before.at(-1 - same) === after.at(-1 - same)) same += 1
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) }
}
