import { type ReactNode, use, useMemo, useRef, useState } from "react"
import { countOf, drawingCost } from "../card/arguments/cut-text.ts"
import { useSteps } from "../card/arguments/folds.ts"
import { More, MoreSteps } from "../card/arguments/shown-value.tsx"
import { type DiffLine, foldLines } from "../card/changes/line-diff.ts"
import { changeStarts } from "./change-places.ts"
import { DiffContext } from "./diff-context.ts"
import look from "./diff-lines.module.css"
import { type DiffTable, SplitRows, UnifiedRows } from "./diff-rows.tsx"
import { longestLine, type TokensOf } from "./line-text.tsx"
import { useHasRoom, useSideBySide } from "./side-by-side.ts"

const mostLines = 300
/** The most that the first lines may hold, in characters. */
const mostAtFirst = 100_000
const linesAtOnce = 2_000
const noTokens: TokensOf = () => []

export type DiffLinesProps = {
  readonly lines: readonly DiffLine[]
  readonly label: string
  readonly hasNumbers: boolean
  /** Else there are no two sides, and nothing that could be folded for being the same. */
  readonly isCompared?: boolean
  readonly foldsUnchanged?: boolean
  readonly tokensOf?: TokensOf
}

/** Lines that were compared elsewhere: one below the other, or side by side where that is wanted and there is room. */
export function DiffLines({
  lines,
  label,
  hasNumbers,
  isCompared = true,
  foldsUnchanged = isCompared,
  tokensOf = noTokens,
}: DiffLinesProps): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const { risked } = use(DiffContext)
  const first = useMemo(() => firstLines(lines), [lines])
  const steps = useSteps(lines.length, first, linesAtOnce)
  const shown = useMemo(() => {
    const some = lines.slice(0, steps.shown)
    return foldsUnchanged ? foldLines(some, 3, ({ text }) => risked.has(text)) : [{ isFolded: false, lines: some }]
  }, [lines, steps.shown, foldsUnchanged, risked])
  const starts = useMemo(() => changeStarts(lines), [lines])
  const [isWanted] = useSideBySide()
  const hasRoom = useHasRoom(place)
  const hasBoth = useMemo(() => new Set(lines.map(({ kind }) => kind)).size > 1, [lines])
  const table: DiffTable = {
    label,
    hasNumbers,
    tokensOf,
    starts,
    isSplit: isCompared && isWanted && hasRoom && hasBoth,
  }
  return (
    <div ref={place} className={look.diff} data-split={table.isSplit}>
      <table className={look.table} aria-label={label}>
        <colgroup>
          <Columns table={table} />
          {table.isSplit && <Columns table={table} />}
        </colgroup>
        <tbody>
          {shown.map(({ isFolded, lines: run }) => (
            <Run key={keyOf(run[0])} lines={run} isFolded={isFolded} table={table} />
          ))}
        </tbody>
      </table>
      {steps.rest > 0 && (
        <div className={look.rest} data-more-lines={true}>
          <MoreSteps steps={steps} one="line" />
        </div>
      )}
    </div>
  )
}

/** How many lines are drawn at first: fewer where they are long, or full of marks. */
function firstLines(lines: readonly DiffLine[]): number {
  let cost = 0
  const at = lines.slice(0, mostLines).findIndex(({ text }) => {
    cost += Math.min(drawingCost(text), longestLine)
    return cost > mostAtFirst
  })
  return at < 0 ? Math.min(lines.length, mostLines) : at
}

function Columns({ table }: { readonly table: DiffTable }): ReactNode {
  return (
    <>
      {table.hasNumbers && <col className={table.isSplit ? look.halfNumberColumn : look.numberColumn} />}
      <col className={look.signColumn} />
      <col />
    </>
  )
}

function keyOf(line: DiffLine | undefined): string {
  return `${line?.before}:${line?.after}`
}

type RunProps = { readonly lines: readonly DiffLine[]; readonly isFolded: boolean; readonly table: DiffTable }

function Run({ lines, isFolded, table }: RunProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const columns = (table.hasNumbers ? 3 : 2) * (table.isSplit ? 2 : 1)
  return (
    <>
      {isFolded && (
        <tr className={look.fold}>
          <td colSpan={columns}>
            <More isOpen={isOpen} words={countOf(lines.length, "unchanged line")} onToggle={() => setOpen(!isOpen)} />
          </td>
        </tr>
      )}
      {(!isFolded || isOpen) &&
        (table.isSplit ? <SplitRows lines={lines} table={table} /> : <UnifiedRows lines={lines} table={table} />)}
    </>
  )
}
