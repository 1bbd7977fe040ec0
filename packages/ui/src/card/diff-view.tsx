import { type ReactNode, useMemo, useState } from "react"
import { ShownText } from "../parts/shown-text.tsx"
import { countOf, moreOf } from "./cut-text.ts"
import look from "./diff-view.module.css"
import { useFold } from "./folds.ts"
import { type DiffLine, foldLines, lineDiff } from "./line-diff.ts"
import { LongText, More, SpacePieces } from "./shown-value.tsx"
import { allSpaces, edgeSpaces } from "./space-pieces.ts"

export type DiffViewProps = {
  readonly before: string
  readonly after: string
  /** What is compared, for whoever does not see it. */
  readonly label: string
  /** Line numbers say nothing where the texts are parts of a file. */
  readonly hasNumbers?: boolean
}

/** Two texts against each other, line by line. What is the same is folded, what cannot be seen is marked. */
export function DiffView({ before, after, label, hasNumbers = true }: DiffViewProps): ReactNode {
  const diff = useMemo(() => lineDiff(before, after), [before, after])
  if (diff.added + diff.removed === 0) return <p className={look.counts}>No changes: the texts are identical.</p>
  return (
    <>
      <p className={look.counts}>
        <span>{countOf(diff.added, "line")} added</span>
        <span>{countOf(diff.removed, "line")} removed</span>
        {diff.isRough && (
          <span>Too different to compare line by line. The old text is shown first, then the new one.</span>
        )}
      </p>
      <DiffLines lines={diff.lines} label={label} hasNumbers={hasNumbers} />
    </>
  )
}

/** A text on its own: where nobody knows what was there before, nothing counts as added. */
export function TextLines({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const lines = useMemo(() => lineDiff("", text).lines.map((line) => ({ ...line, kind: "same" as const })), [text])
  return (
    <>
      <p className={look.counts}>
        <span>{countOf(lines.length, "line")}</span>
      </p>
      <DiffLines lines={lines} label={label} hasNumbers={true} isCompared={false} />
    </>
  )
}

const mostLines = 300

/** Lines that were compared elsewhere. */
export function DiffLines({
  lines,
  label,
  hasNumbers,
  isCompared = true,
}: {
  readonly lines: readonly DiffLine[]
  readonly label: string
  readonly hasNumbers: boolean
  /** Else there is nothing that could be folded for being the same. */
  readonly isCompared?: boolean
}): ReactNode {
  const rest = lines.length - mostLines
  const [isWhole, setWhole] = useFold(rest > 0)
  const shown = useMemo(() => {
    const some = isWhole ? lines : lines.slice(0, mostLines)
    return isCompared ? foldLines(some) : [{ isFolded: false, lines: some }]
  }, [lines, isWhole, isCompared])
  return (
    <div className={look.diff}>
      <table className={look.table} aria-label={label}>
        <colgroup>
          {hasNumbers && <col className={look.numberColumn} />}
          <col className={look.signColumn} />
          <col />
        </colgroup>
        <tbody>
          {shown.map(({ isFolded, lines: run }) => (
            <Run key={keyOf(run[0])} lines={run} isFolded={isFolded} hasNumbers={hasNumbers} />
          ))}
        </tbody>
      </table>
      {rest > 0 && (
        <div className={look.rest}>
          <More isOpen={isWhole} words={moreOf(rest, "line")} onToggle={() => setWhole(!isWhole)} />
        </div>
      )}
    </div>
  )
}

function keyOf(line: DiffLine | undefined): string {
  return `${line?.before}:${line?.after}`
}

function Run({
  lines,
  isFolded,
  hasNumbers,
}: {
  readonly lines: readonly DiffLine[]
  readonly isFolded: boolean
  readonly hasNumbers: boolean
}): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {isFolded && (
        <tr className={look.fold}>
          <td colSpan={hasNumbers ? 3 : 2}>
            <More isOpen={isOpen} words={countOf(lines.length, "unchanged line")} onToggle={() => setOpen(!isOpen)} />
          </td>
        </tr>
      )}
      {(!isFolded || isOpen) && lines.map((line) => <Line key={keyOf(line)} line={line} hasNumbers={hasNumbers} />)}
    </>
  )
}

const signs = { same: "", added: "+", removed: "−" } as const
const signWords = { same: "", added: "added: ", removed: "removed: " } as const

function Line({ line, hasNumbers }: { readonly line: DiffLine; readonly hasNumbers: boolean }): ReactNode {
  return (
    <tr className={look.row} data-kind={line.kind}>
      {hasNumbers && (
        <td className={look.numbers}>
          <span className={look.before}>{line.before}</span>
          <span className={look.after}>{line.after}</span>
        </td>
      )}
      <td className={look.sign} aria-hidden="true">
        {signs[line.kind]}
      </td>
      <td className={look.text}>
        {line.kind !== "same" && <span className="only-read-aloud">{signWords[line.kind]}</span>}
        <LineText line={line} />
        {line.isOpen && hasNumbers && <span className={look.open}> (no line break at the end)</span>}
      </td>
    </tr>
  )
}

/** Longer lines are shown from their beginning. */
const longestLine = 1_500

function LineText({ line: { text, before, kind, changed } }: { readonly line: DiffLine }): ReactNode {
  if (text.length > longestLine) return <LongText text={text} most={longestLine} />
  if (kind === "same" && before !== null) return <ShownText text={text} />
  if (changed === null) return <SpacePieces pieces={edgeSpaces(text)} />
  return (
    <>
      <ShownText text={text.slice(0, changed.start)} />
      {changed.end > changed.start && (
        <em className={look.changed}>
          <SpacePieces pieces={allSpaces(text.slice(changed.start, changed.end))} />
        </em>
      )}
      <SpacePieces pieces={edgeSpaces(text.slice(changed.end))} />
    </>
  )
}
