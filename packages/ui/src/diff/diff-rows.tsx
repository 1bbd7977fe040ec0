import { MessageSquarePlus } from "lucide-react"
import { type ReactNode, use, useState } from "react"
import type { DiffLine } from "../card/changes/line-diff.ts"
import { CommentRow } from "./comment-row.tsx"
import { DiffContext } from "./diff-context.ts"
import look from "./diff-lines.module.css"
import { LineText, type TokensOf } from "./line-text.tsx"
import { splitRows } from "./split-rows.ts"

/** How a table of lines is drawn. */
export type DiffTable = {
  readonly label: string
  /** Line numbers say nothing where the texts are parts of a file. */
  readonly hasNumbers: boolean
  readonly tokensOf: TokensOf
  /** Lines at which a run of changed lines begins. */
  readonly starts: ReadonlySet<DiffLine>
  readonly isSplit: boolean
}

type RowsProps = { readonly lines: readonly DiffLine[]; readonly table: DiffTable }

export function UnifiedRows({ lines, table }: RowsProps): ReactNode {
  return lines.map((line) => <Row key={keyOf(line)} left={line} right={null} table={table} />)
}

export function SplitRows({ lines, table }: RowsProps): ReactNode {
  return splitRows(lines).map(({ left, right }) => (
    <Row key={`${left?.before} ${right?.after}`} left={left} right={right} table={table} />
  ))
}

function keyOf(line: DiffLine): string {
  return `${line.before}:${line.after}`
}

type RowProps = { readonly left: DiffLine | null; readonly right: DiffLine | null; readonly table: DiffTable }

/** In one column `right` is null; side by side either may be, where the other text has more lines. */
function Row({ left, right, table }: RowProps): ReactNode {
  const { risked, comments } = use(DiffContext)
  const [isCommenting, setCommenting] = useState(false)
  const told = right ?? left
  if (told === null) return null
  const isStart = [left, right].some((line) => line !== null && table.starts.has(line))
  const risks = told.kind === "removed" ? undefined : risked.get(told.text)
  const key = `${table.label} ${keyOf(told)}`
  const comment = comments?.all.get(key)
  const side = { table, ...(comments === null ? {} : { onComment: () => setCommenting(true) }) }
  const columns = (table.hasNumbers ? 3 : 2) * (table.isSplit ? 2 : 1)
  return (
    <>
      <tr
        className={look.row}
        tabIndex={-1}
        data-line=""
        {...(isStart ? { "data-change": "" } : {})}
        {...(risks === undefined ? {} : { "data-risks": risks.join(" ") })}
      >
        {table.isSplit ? (
          <>
            <Cells line={left} isOld {...(right === null ? side : { table })} />
            <Cells line={right} {...side} />
          </>
        ) : (
          <Cells line={left} {...side} />
        )}
      </tr>
      {comments !== null && (isCommenting || comment !== undefined) && (
        <CommentRow
          columns={columns}
          line={table.hasNumbers ? (told.after ?? told.before) : null}
          text={comment?.text ?? ""}
          isEditing={isCommenting}
          onEdit={() => setCommenting(true)}
          onClose={() => setCommenting(false)}
          onSave={(text) => {
            comments.onSave(key, told, table.hasNumbers, text)
            setCommenting(false)
          }}
        />
      )}
    </>
  )
}

const signs = { same: "", added: "+", removed: "−" } as const
const signWords = { same: "", added: "added: ", removed: "removed: " } as const

type CellsProps = {
  readonly line: DiffLine | null
  /** Side by side, the old text stands at the left. */
  readonly isOld?: boolean
  readonly table: DiffTable
  readonly onComment?: () => void
}

/** One side of a row. */
function Cells({ line, isOld = false, table, onComment }: CellsProps): ReactNode {
  const { hasNumbers, isSplit } = table
  if (line === null) return <td className={look.none} colSpan={hasNumbers ? 3 : 2} />
  const { kind } = line
  return (
    <>
      {hasNumbers && (
        <td className={look.numbers} data-kind={kind}>
          {isSplit ? (
            <span className={look.half}>{isOld ? line.before : line.after}</span>
          ) : (
            <>
              <span className={look.before}>{line.before}</span>
              <span className={look.after}>{line.after}</span>
            </>
          )}
        </td>
      )}
      <td className={look.sign} data-kind={kind}>
        <span aria-hidden="true">{signs[kind]}</span>
        {onComment !== undefined && (
          <button
            type="button"
            className={look.comment}
            // Every line has one: with the keys it is `c` at the line.
            tabIndex={-1}
            data-comments=""
            aria-label={hasNumbers ? `Comment on line ${line.after ?? line.before}` : "Comment on this line"}
            onClick={onComment}
          >
            <MessageSquarePlus aria-hidden="true" />
          </button>
        )}
      </td>
      <td className={look.text} data-kind={kind}>
        {kind !== "same" && <span className="only-read-aloud">{signWords[kind]}</span>}
        <LineText line={line} tokens={table.tokensOf(line)} />
        {line.isOpen && hasNumbers && <span className={look.open}> (no line break at the end)</span>}
      </td>
    </>
  )
}
