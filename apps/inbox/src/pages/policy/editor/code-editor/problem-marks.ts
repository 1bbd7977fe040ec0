import type { TextProblem } from "@byleave/api"
import { type EditorState, type Extension, type Range, RangeSet, StateEffect, StateField } from "@codemirror/state"
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutterLineClass } from "@codemirror/view"
import { lineMarks } from "../text-lines.ts"
import { problemRange } from "./problem-range.ts"

/** Tells the editor the problems of its present text. */
export const setProblems = StateEffect.define<readonly TextProblem[]>()

type ProblemMarks = {
  readonly underlines: DecorationSet
  readonly numbers: RangeSet<GutterMarker>
  readonly hasErrors: boolean
}

const marks = StateField.define<ProblemMarks>({
  create: () => ({ underlines: Decoration.none, numbers: RangeSet.empty, hasErrors: false }),
  update: (now, { effects, changes, state }) => {
    const told = effects.findLast((effect) => effect.is(setProblems))
    if (told?.is(setProblems) === true) return marksOf(told.value, state)
    if (changes.empty) return now
    return { ...now, underlines: now.underlines.map(changes), numbers: now.numbers.map(changes) }
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ underlines }) => underlines),
    gutterLineClass.from(field, ({ numbers }) => numbers),
    EditorView.contentAttributes.from(field, ({ hasErrors }) => ({ "aria-invalid": String(hasErrors) })),
  ],
})

/** Underlines the place of each problem and marks its line's number; both move with the text until the problems are told anew. */
export const problemMarks: Extension = marks

/** Lists the problems whose marks are at a place of the text. */
export function problemsAt(state: EditorState, offset: number): readonly TextProblem[] {
  const found: TextProblem[] = []
  state.field(marks).underlines.between(offset, offset, (from, to, { spec }) => {
    if (from <= offset && offset < to) found.push(spec.problem)
  })
  return found
}

function marksOf(problems: readonly TextProblem[], { doc }: EditorState): ProblemMarks {
  const text = doc.toString()
  const underlines = problems.flatMap<Range<Decoration>>((problem) => {
    const range = problemRange(text, problem)
    if (range === null || range.from === range.to) return []
    return [Decoration.mark({ class: `problem-${problem.severity}`, problem }).range(range.from, range.to)]
  })
  const numbers = lineMarks(problems, doc.lines).map(({ line, severity }) =>
    numberMarks[severity].range(doc.line(line).from),
  )
  const hasErrors = problems.some(({ severity }) => severity === "error")
  return { underlines: Decoration.set(underlines, true), numbers: RangeSet.of(numbers), hasErrors }
}

function numberMark(elementClass: string): GutterMarker {
  return new (class extends GutterMarker {
    override readonly elementClass = elementClass
  })()
}

const numberMarks = {
  error: numberMark("number-error"),
  warning: numberMark("number-warning"),
} as const satisfies Record<TextProblem["severity"], GutterMarker>
