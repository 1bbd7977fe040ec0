import { TriangleAlert } from "lucide-react"
import type { ReactNode } from "react"
import { ShownName } from "../../parts/shown-text.tsx"
import { type ArgNode, shownScalar } from "./arg-tree.ts"
import look from "./arguments.module.css"
import { countOf } from "./cut-text.ts"
import { useFold, useSteps } from "./folds.ts"
import type { Secrets } from "./secrets.ts"
import { LongText, Masked, More, MoreSteps, Sentence } from "./shown-value.tsx"

/** How values are shown: which are masked, and which stand elsewhere on the card in full, so that their beginning is enough. */
export type Showing = { readonly secrets: Secrets; readonly elsewhere: ReadonlySet<string> }

type ArgumentTableProps = { readonly tree: readonly ArgNode[]; readonly showing: Showing }

/** Every argument by name, kind and value; what stands within another stands below it, further in. */
export function ArgumentTable({ tree, showing }: ArgumentTableProps): ReactNode {
  const opensTo = rowsOf(tree) <= mostAtOnce ? Number.POSITIVE_INFINITY : 2
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
        <Rows nodes={tree} depth={0} showing={{ ...showing, opensTo }} />
      </tbody>
    </table>
  )
}

const mostRows = 30
const rowsAtOnce = 500
/** What is no longer than this is unfolded, however deep it stands: nobody should have to look for what they judge. */
const mostAtOnce = 40

function rowsOf(nodes: readonly ArgNode[]): number {
  return nodes.reduce((count, { inner }) => count + 1 + rowsOf(inner), 0)
}

type Unfolding = Showing & { readonly opensTo: number }

type RowsProps = { readonly nodes: readonly ArgNode[]; readonly depth: number; readonly showing: Unfolding }

function Rows({ nodes, depth, showing }: RowsProps): ReactNode {
  const steps = useSteps(nodes.length, mostRows, rowsAtOnce)
  return (
    <>
      {nodes.slice(0, steps.shown).map((node) => (
        <Row key={node.pointer} node={node} depth={depth} showing={showing} />
      ))}
      {steps.rest > 0 && (
        <tr>
          <td colSpan={3}>
            <MoreSteps steps={steps} one="entry" many="entries" />
          </td>
        </tr>
      )}
    </>
  )
}

type RowProps = { readonly node: ArgNode; readonly depth: number; readonly showing: Unfolding }

/** Deeper than this, further in would be out of the page. */
const deepestIndent = 8

function Row({ node, depth, showing }: RowProps): ReactNode {
  const [isOpen, setOpen] = useFold(
    Math.min(node.inner.length, mostRows),
    depth < showing.opensTo && node.inner.length <= mostRows,
  )
  return (
    <>
      <tr className={look.row} data-risky={node.risks.length > 0}>
        <th scope="row" className={look.name}>
          <span style={{ display: "block", paddingInlineStart: `${Math.min(depth, deepestIndent) * 0.9}rem` }}>
            {node.isElement ? <span className={look.elementName}>{node.name}.</span> : <ShownName text={node.name} />}
          </span>
        </th>
        <td className="aside">{node.kind}</td>
        <td className={look.value}>
          {node.kind === "list" || node.kind === "object" ? (
            <Holder node={node} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
          ) : (
            <Value node={node} showing={showing} />
          )}
          <RisksHere node={node} />
        </td>
      </tr>
      {isOpen && node.inner.length > 0 && <Rows nodes={node.inner} depth={depth + 1} showing={showing} />}
    </>
  )
}

type HolderProps = { readonly node: ArgNode; readonly isOpen: boolean; readonly onToggle: () => void }

function Holder({ node, isOpen, onToggle }: HolderProps): ReactNode {
  if (node.inner.length === 0) return <span className={look.empty}>an empty {node.kind}</span>
  const words = countOf(node.inner.length, "entry", "entries")
  return <More isOpen={isOpen} words={words} less={`Hide ${words}`} onToggle={onToggle} />
}

function Value({ node, showing }: Omit<RowProps, "depth">): ReactNode {
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
