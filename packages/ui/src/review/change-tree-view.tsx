import type { RiskLevel } from "@byleave/api"
import { Check, CircleDashed, Folder, Minus, TriangleAlert, X } from "lucide-react"
import type { ReactNode } from "react"
import { ShownName } from "../parts/shown-text.tsx"
import type { ChangeCounts } from "./change-counts.ts"
import type { ChangeTreeNode } from "./change-tree.ts"
import look from "./change-tree-view.module.css"
import type { ReviewAnswer } from "./review-state.ts"

export type ReviewedFile = {
  readonly key: string
  readonly path: string
  /** Null: not known, or not yet. */
  readonly counts: ChangeCounts | null
  /** `allowed` and `denied`: that was answered. `gone`: its call waits no more for another reason. */
  readonly state: ReviewAnswer | "open" | "allowed" | "denied" | "gone"
  /** How much there is to check before allowing it. */
  readonly risk: RiskLevel
  readonly comments: number
  readonly callId: string
}

type ChangeTreeViewProps = {
  readonly tree: readonly ChangeTreeNode<ReviewedFile>[]
  /** The call one is at. */
  readonly at: string | null
  readonly onGo: (callId: string) => void
}

/** Every changed file with how much changes in it and what was said to it. */
export function ChangeTreeView({ tree, at, onGo }: ChangeTreeViewProps): ReactNode {
  return (
    <ul className={look.nodes}>
      {tree.map((node) =>
        node.kind === "folder" ? (
          <li key={`folder ${node.path}`}>
            <span className={look.folder}>
              <Folder aria-hidden="true" />
              <ShownName text={node.name} />
            </span>
            <ChangeTreeView tree={node.inner} at={at} onGo={onGo} />
          </li>
        ) : (
          <li key={node.file.key}>
            <FileLine name={node.name} file={node.file} isAt={node.file.callId === at} onGo={onGo} />
          </li>
        ),
      )}
    </ul>
  )
}

const states = {
  open: { words: "undecided", icon: <CircleDashed aria-hidden="true" /> },
  allow: { words: "to be allowed", icon: <Check aria-hidden="true" /> },
  deny: { words: "to be denied", icon: <X aria-hidden="true" /> },
  allowed: { words: "allowed", icon: <Check aria-hidden="true" /> },
  denied: { words: "denied", icon: <X aria-hidden="true" /> },
  gone: { words: "no longer waiting", icon: <Minus aria-hidden="true" /> },
} as const satisfies Record<ReviewedFile["state"], unknown>

const riskWords = { notice: "Check before allowing", strong: "Strong warning: check before allowing" } as const

type FileLineProps = {
  readonly name: string
  readonly file: ReviewedFile
  readonly isAt: boolean
  readonly onGo: (callId: string) => void
}

function FileLine({ name, file, isAt, onGo }: FileLineProps): ReactNode {
  const { words, icon } = states[file.state]
  return (
    <button
      type="button"
      className={look.file}
      data-state={file.state}
      {...(isAt ? { "aria-current": "true" as const } : {})}
      onClick={() => onGo(file.callId)}
    >
      <span className={look.state} title={words}>
        {icon}
        <span className="only-read-aloud">{words}: </span>
      </span>
      <span className={look.name}>
        <ShownName text={name} />
      </span>
      {file.risk !== "none" && (file.state === "open" || file.state === "allow") && (
        <span className={look.risk} data-strong={file.risk === "strong"} title={riskWords[file.risk]}>
          <TriangleAlert aria-hidden="true" />
          <span className="only-read-aloud">{riskWords[file.risk]}</span>
        </span>
      )}
      {file.comments > 0 && (
        <span className={look.comments}>
          {file.comments}
          <span className="only-read-aloud">{file.comments === 1 ? " comment" : " comments"}</span>
        </span>
      )}
      <Counts counts={file.counts} />
    </button>
  )
}

/** `+12 −3`. */
export function Counts({ counts }: { readonly counts: ChangeCounts | null }): ReactNode {
  if (counts === null) return null
  return (
    <span className={look.counts}>
      <span className="only-read-aloud">
        {" "}
        {counts.added} added, {counts.removed} removed
      </span>
      <span className={look.added} aria-hidden="true">
        +{counts.added}
      </span>
      <span className={look.removed} aria-hidden="true">
        −{counts.removed}
      </span>
    </span>
  )
}
