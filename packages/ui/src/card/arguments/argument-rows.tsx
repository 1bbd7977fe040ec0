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
  openedSteps,
  rowsAtOnce,
  type ShownCounts,
  type TableRow,
  tableRows,
  toggled,
} from "./shown-rows.ts"
import { LongName, LongText, Masked, More, Sentence } from "./shown-value.tsx"

/** How values are shown: which are masked, and which stand elsewhere on the card in full, so that their beginning is enough. */
export type Showing = { readonly secrets: Secrets; readonly elsewhere: ReadonlySet<string> }

/** Every argument by name, kind and value; what stands within another stands below it, further in. */
export function ArgumentTable({
  tree,
  showing,
}: {
  readonly tree: readonly ArgNode[]
  readonly showing: Showing
}): ReactNode {
  const { rows, onToggle, onMore, steps } = useRows(tree)
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
        {rows.map((row, at) =>
          row.kind === "value" ? (
            <Row
              key={row.node.pointer}
              row={row}
              showing={showing}
              onToggle={() => onToggle(row.node)}
              ofName={steps[2 * at]}
              ofValue={steps[2 * at + 1]}
            />
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
  /** How much of each row's name, and then of its value, is open because all folds were opened. */
  readonly steps: readonly number[]
}

/** The rows that are drawn. Opening all folds of the card adds one step to the table, not one to each list in it. */
function useRows(tree: readonly ArgNode[]): Rows {
  const folds = useContext(FoldsContext)
  const opened = folds?.opened ?? 0
  const first = useMemo(() => firstRows(tree), [tree])
  const [chosen, setChosen] = useState<{ readonly opened: number; readonly counts: ShownCounts }>(asFirst)
  const shown = useMemo(() => new Map([...first, ...chosen.counts]), [first, chosen.counts])
  const choose = (counts: ShownCounts) => setChosen({ opened, counts })
  if (chosen.opened !== opened) choose(moreRows(tree, shown, (opened - chosen.opened) * rowsAtOnce))
  const rows = useMemo(() => tableRows(tree, shown), [tree, shown])
  const closed = folds?.closed
  const hides = rows.some((row) => row.kind === "rest" || row.folded > 0)
  useEffect(() => (hides ? closed?.() : undefined), [hides, closed])
  const steps = useMemo(() => openedSteps(rows.flatMap(textsIn), opened), [rows, opened])
  return {
    rows,
    steps,
    onToggle: (holder) => choose(toggled(shown, holder)),
    onMore: (pointer) => choose(moreEntries(shown, pointer)),
  }
}

function textsIn(row: TableRow): readonly [string, string] {
  if (row.kind === "rest") return ["", ""]
  return [row.node.name, typeof row.node.value === "string" ? row.node.value : ""]
}

const asFirst = { opened: 0, counts: new Map<string, number>() }

function Rest({ rest, onMore }: { readonly rest: number; readonly onMore: () => void }): ReactNode {
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

type Opened = { readonly ofName: number | undefined; readonly ofValue: number | undefined }

function Row({
  row,
  showing,
  onToggle,
  ofName,
  ofValue,
}: RowProps & Opened & { readonly showing: Showing }): ReactNode {
  const { node, depth } = row
  return (
    <tr className={look.row} data-risky={node.risks.length > 0}>
      <th scope="row" className={look.name}>
        <span style={{ display: "block", paddingInlineStart: `${Math.min(depth, deepestIndent) * 0.9}rem` }}>
          {node.isElement ? (
            <span className={look.elementName}>{node.name}.</span>
          ) : (
            <LongName text={node.name} most={longestName} openedHere={ofName} />
          )}
        </span>
      </th>
      <td className={look.kind}>{node.kind}</td>
      <td className={look.value}>
        {node.kind === "list" || node.kind === "object" ? (
          <Holder row={row} onToggle={onToggle} />
        ) : (
          <Value node={node} showing={showing} openedHere={ofValue} />
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

type ValueProps = { readonly node: ArgNode; readonly showing: Showing; readonly openedHere: number | undefined }

function Value({ node, showing, openedHere }: ValueProps): ReactNode {
  const { secrets, elsewhere } = showing
  const text = shownScalar(node.value)
  if (secrets.hidden.has(node.pointer)) {
    return <Masked name={node.name} length={text.length} onReveal={() => secrets.reveal([node.pointer])} />
  }
  if (text === "") return <span className={look.empty}>empty text</span>
  const size = elsewhere.has(node.pointer) ? { most: 200, mostLines: 3, isElsewhere: true } : {}
  return <LongText text={text} name={node.isElement ? "" : node.name} openedHere={openedHere} {...size} />
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
