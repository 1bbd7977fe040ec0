import type { TextProblem } from "@byleave/api"
import { memo, type ReactNode, type Ref } from "react"
import look from "./text-editor.module.css"
import { lineMarks } from "./text-lines.ts"

type LineNumbersProps = {
  readonly text: string
  readonly problems: readonly TextProblem[]
  readonly ref: Ref<HTMLOListElement>
}

/**
 * The text once more, unseen, under the text area: a line that goes on below itself is as high here as there, so that its number stands at
 * its beginning. Numbers and marks are for eyes; the same is told by the list of problems.
 */
export function LineNumbers({ text, problems, ref }: LineNumbersProps): ReactNode {
  const lines = text.split("\n")
  const marks = new Map(lineMarks(problems, lines.length).map(({ line, severity }) => [line, severity]))
  return (
    <ol className={look.numbers} ref={ref} aria-hidden="true">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line's number is its name
        <Line key={at} text={line} number={at + 1} mark={marks.get(at + 1)} />
      ))}
    </ol>
  )
}

type LineProps = {
  readonly text: string
  readonly number: number
  readonly mark: TextProblem["severity"] | undefined
}

/** A long file has thousands: only those that were typed in are drawn again. */
const Line = memo(function Line({ text, number, mark }: LineProps): ReactNode {
  return (
    <li data-mark={mark} data-number={number}>
      {/* An empty line is as high as any. */}
      <span>{text === "" ? "\u200B" : text}</span>
    </li>
  )
})
