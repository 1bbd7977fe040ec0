import { TriangleAlert } from "lucide-react"
import { type ReactNode, useContext, useEffect, useMemo, useState } from "react"
import { type ArgNode, shownScalar } from "./arg-tree.ts"
import look from "./arguments.module.css"
import { countOf, stepOf } from "./cut-text.ts"
import { FoldsContext } from "./folds.ts"
import type { Secrets } from "./secrets.ts"
import {
  firstRows,
  moreEntries,
  moreRows,
  rowsAtOnce,
  type ShownCounts,
  type TableRow,
  tableRows,
  toggled,
} from "./shown-rows.ts"
import { LongName, LongText, Masked, More, Sentence } from "./shown-value.tsx"

/** How values are shown: which are masked, and which stand elsewhere on the card in full, so that their beginning is enough. */
export type Showing = { readonly secrets: Secrets; readonly elsewhere: ReadonlySet<string> }

type ArgumentTableProps = { readonly tree: readonly ArgNode[]; readonly showing: Showing }

/** Every argument by name, kind and value; what stands within another stands below it, further in. */
export function ArgumentTable({ tree, showing }: ArgumentTableProps): ReactNode {
  const { rows, onToggle, onMore } = useRows(tree)
  return (
    <table className={look.table}>
      <colgroup>
        <col className={look.nameColumn} />
        <col className={look.kindColumn} />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Kind</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) =>
          row.kind === "value" ? (
            <Row key={row.node.pointer} row={row} showing={showing} onToggle={() => onToggle(row.node)} />
          ) : (
            <Rest key={`${row.pointer} rest`} rest={row.rest} onMore={() => onMore(row.pointer)} />
          ),
        )}
      </tbody>
    </table>
  )
}

type Rows = {
  readonly rows: readonly TableRow[]
  readonly onToggle: (holder: ArgNode) => void
  readonly onMore: (pointer: string) => void
}

/** The rows that are drawn. The table is one fold of the card, however its lists are nested: opening all adds one step to it. */
function useRows(tree: readonly ArgNode[]): Rows {
  const closed = useContext(FoldsContext)?.closed
  const first = useMemo(() => firstRows(tree), [tree])
  const [{ counts, wasOpen }, setChosen] = useState<Chosen>(asFirst)
  const shown = useMemo(() => new Map([...first, ...counts]), [first, counts])
  const rows = useMemo(() => tableRows(tree, shown), [tree, shown])
  useEffect(() => {
    const lines = Math.min(rowsAtOnce, hiddenIn(rows))
    if (lines === 0) return
    return closed?.({
      lines,
      wasOpen,
      open: () => setChosen({ counts: moreRows(tree, shown), wasOpen: true }),
    })
  }, [tree, shown, rows, wasOpen, closed])
  const choose = (counts: ShownCounts): void => setChosen({ counts, wasOpen: true })
  return {
    rows,
    onToggle: (holder) => choose(toggled(shown, holder)),
    onMore: (pointer) => choose(moreEntries(shown, pointer)),
  }
}

/** `wasOpen`: somebody chose what is drawn, or a press has added its step. */
type Chosen = { readonly counts: ShownCounts; readonly wasOpen: boolean }

/** How many rows are not drawn, without those within entries that are not drawn themselves. */
function hiddenIn(rows: readonly TableRow[]): number {
  return rows.reduce((hidden, row) => hidden + (row.kind === "rest" ? row.rest : row.folded), 0)
}

const asFirst = { counts: new Map<string, number>(), wasOpen: false }

type RestProps = { readonly rest: number; readonly onMore: () => void }

function Rest({ rest, onMore }: RestProps): ReactNode {
  const next = Math.min(rest, rowsAtOnce)
  return (
    <tr>
      <td colSpan={3}>
        <More isOpen={false} words={stepOf(next, rest, "entry", "entries")} onToggle={onMore} />
      </td>
    </tr>
  )
}

/** Deeper than this, further in would be out of the page. */
const deepestIndent = 8
const longestName = 120

function Row({ row, showing, onToggle }: RowProps & { readonly showing: Showing }): ReactNode {
  const { node, depth } = row
  return (
    <tr className={look.row} data-risky={node.risks.length > 0}>
      <th scope="row" className={look.name}>
        <span style={{ display: "block", paddingInlineStart: `${Math.min(depth, deepestIndent) * 0.9}rem` }}>
          {node.isElement ? (
            <span className={look.elementName}>{node.name}.</span>
          ) : (
            <LongName text={node.name} most={longestName} />
          )}
        </span>
      </th>
      <td className="aside">{node.kind}</td>
      <td className={look.value}>
        {node.kind === "list" || node.kind === "object" ? (
          <Holder row={row} onToggle={onToggle} />
        ) : (
          <Value node={node} showing={showing} />
        )}
        <RisksHere node={node} />
      </td>
    </tr>
  )
}

type RowProps = { readonly row: Extract<TableRow, { kind: "value" }>; readonly onToggle: () => void }

function Holder({ row: { node, isOpen, folded }, onToggle }: RowProps): ReactNode {
  if (node.inner.length === 0) return <span className={look.empty}>an empty {node.kind}</span>
  const entries = countOf(node.inner.length, "entry", "entries")
  const words = folded > node.inner.length ? `${entries}, ${countOf(folded, "row")} in all` : entries
  return <More isOpen={isOpen} words={words} less={`Hide ${entries}`} onToggle={onToggle} />
}

type ValueProps = { readonly node: ArgNode; readonly showing: Showing }

function Value({ node, showing }: ValueProps): ReactNode {
  const { secrets, elsewhere } = showing
  const text = shownScalar(node.value)
  if (secrets.hidden.has(node.pointer)) {
    return <Masked name={node.name} length={text.length} onReveal={() => secrets.reveal([node.pointer])} />
  }
  if (text === "") return <span className={look.empty}>empty text</span>
  const size = elsewhere.has(node.pointer) ? { most: 200, mostLines: 3, isElsewhere: true } : {}
  return <LongText text={text} name={node.isElement ? "" : node.name} {...size} />
}

function RisksHere({ node }: { readonly node: ArgNode }): ReactNode {
  return node.risks.map((risk) => (
    <p key={risk.kind + risk.sentence} className={look.risk}>
      <TriangleAlert aria-hidden="true" />
      <span>
        <Sentence text={risk.sentence} />
      </span>
    </p>
  ))
}
