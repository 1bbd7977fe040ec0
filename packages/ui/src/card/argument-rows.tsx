import { TriangleAlert } from "lucide-react"
import { type ReactNode, useState } from "react"
import { ShownText } from "../parts/shown-text.tsx"
import type { ArgNode } from "./arg-tree.ts"
import { shownScalar } from "./arg-tree.ts"
import look from "./arguments.module.css"
import { countOf, moreOf } from "./cut-text.ts"
import type { Secrets } from "./secrets.ts"
import { LongText, Masked, More, Sentence } from "./shown-value.tsx"

/** Every argument by name, kind and value; what stands within another stands below it, further in. */
export function ArgumentTable({
  tree,
  secrets,
}: {
  readonly tree: readonly ArgNode[]
  readonly secrets: Secrets
}): ReactNode {
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
        <Rows nodes={tree} depth={0} secrets={secrets} />
      </tbody>
    </table>
  )
}

type RowsProps = { readonly nodes: readonly ArgNode[]; readonly depth: number; readonly secrets: Secrets }

const mostRows = 30

function Rows({ nodes, depth, secrets }: RowsProps): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const rest = nodes.length - mostRows
  return (
    <>
      {(isWhole ? nodes : nodes.slice(0, mostRows)).map((node) => (
        <Row key={node.pointer} node={node} depth={depth} secrets={secrets} />
      ))}
      {rest > 0 && (
        <tr>
          <td colSpan={3}>
            <More isOpen={isWhole} words={moreOf(rest, "entry", "entries")} onToggle={() => setWhole(!isWhole)} />
          </td>
        </tr>
      )}
    </>
  )
}

/** Deeper than this, further in would be out of the page. */
const deepestIndent = 8

function Row({
  node,
  depth,
  secrets,
}: {
  readonly node: ArgNode
  readonly depth: number
  readonly secrets: Secrets
}): ReactNode {
  const [isOpen, setOpen] = useState(depth < 2 && node.inner.length <= mostRows)
  const isRisky = node.risks.length > 0
  return (
    <>
      <tr className={look.row} data-risky={isRisky}>
        <th scope="row" className={look.name}>
          <span style={{ display: "block", paddingInlineStart: `${Math.min(depth, deepestIndent) * 0.9}rem` }}>
            {node.isElement ? <span className={look.elementName}>{node.name}.</span> : <ShownText text={node.name} />}
          </span>
        </th>
        <td className={look.kind}>{node.kind}</td>
        <td className={look.value}>
          <Value node={node} secrets={secrets} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
          {node.risks.map((risk) => (
            <p key={risk.kind + risk.sentence} className={look.risk}>
              <TriangleAlert aria-hidden="true" />
              <span>
                <Sentence text={risk.sentence} />
              </span>
            </p>
          ))}
        </td>
      </tr>
      {isOpen && node.inner.length > 0 && <Rows nodes={node.inner} depth={depth + 1} secrets={secrets} />}
    </>
  )
}

type ValueProps = {
  readonly node: ArgNode
  readonly secrets: Secrets
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function Value({ node, secrets, isOpen, onToggle }: ValueProps): ReactNode {
  if (node.kind === "list" || node.kind === "object") {
    if (node.inner.length === 0)
      return <span className={look.empty}>{node.kind === "list" ? "an empty list" : "an empty object"}</span>
    const words = countOf(node.inner.length, "entry", "entries")
    return isOpen ? (
      <More isOpen words={words} onToggle={onToggle} />
    ) : (
      <More isOpen={false} words={words} onToggle={onToggle} />
    )
  }
  const text = shownScalar(node.value)
  if (secrets.hidden.has(node.pointer)) {
    return <Masked name={node.name} length={text.length} onReveal={() => secrets.reveal([node.pointer])} />
  }
  if (text === "") return <span className={look.empty}>an empty text</span>
  return <LongText text={text} name={node.isElement ? "" : node.name} />
}
