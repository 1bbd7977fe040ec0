import { type ReactNode, use, useMemo } from "react"
import { DiffContext } from "../../diff/diff-context.ts"
import look from "../../diff/diff-lines.module.css"
import { DiffLines } from "../../diff/diff-lines.tsx"
import { highlightLines } from "../../diff/highlight.ts"
import type { TokensOf } from "../../diff/line-text.tsx"
import { countOf } from "../arguments/cut-text.ts"
import { lineDiff } from "./line-diff.ts"

export type DiffViewProps = {
  readonly before: string
  readonly after: string
  /** The name of the comparison, for screen readers. */
  readonly label: string
  /** Line numbers say nothing where the texts are parts of a file. */
  readonly hasNumbers?: boolean
  /** False where neither text is known to be there: then unchanged lines are somebody's claim, and all of them are drawn. */
  readonly foldsUnchanged?: boolean
}

/** Two texts against each other, line by line. What is the same is folded, what cannot be seen is marked. */
export function DiffView({ before, after, label, hasNumbers = true, foldsUnchanged = true }: DiffViewProps): ReactNode {
  const diff = useMemo(() => lineDiff(before, after), [before, after])
  const tokensOf = useTokens(before, after)
  const isSame = diff.added + diff.removed === 0
  if (isSame && foldsUnchanged) return <p className={look.counts}>No changes: the texts are identical.</p>
  return (
    <>
      <p className={look.counts}>
        {isSame ? (
          <span>The old and the new text are identical.</span>
        ) : (
          <>
            <span>{countOf(diff.added, "line")} added</span>
            <span>{countOf(diff.removed, "line")} removed</span>
          </>
        )}
        {diff.isRough && (
          <span>Too different to compare line by line. The old text is shown first, then the new one.</span>
        )}
      </p>
      <DiffLines
        lines={diff.lines}
        label={label}
        hasNumbers={hasNumbers}
        foldsUnchanged={foldsUnchanged}
        tokensOf={tokensOf}
      />
    </>
  )
}

/** A text on its own: where nobody knows what was there before, nothing counts as added. */
export function TextLines({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const lines = useMemo(() => lineDiff("", text).lines.map((line) => ({ ...line, kind: "same" as const })), [text])
  const tokensOf = useTokens("", text)
  return (
    <>
      <p className={look.counts}>
        <span>{countOf(lines.length, "line")}</span>
      </p>
      <DiffLines lines={lines} label={label} hasNumbers={true} isCompared={false} tokensOf={tokensOf} />
    </>
  )
}

/** Both texts are looked through whole, since a comment may begin lines before the one that is shown. */
function useTokens(before: string, after: string): TokensOf {
  const { path } = use(DiffContext)
  return useMemo(() => {
    const old = highlightLines(before, path)
    const young = highlightLines(after, path)
    return (line) =>
      (line.kind === "removed" ? old?.[(line.before ?? 0) - 1] : young?.[(line.after ?? 0) - 1]) ?? noTokens
  }, [before, after, path])
}

const noTokens: ReturnType<TokensOf> = []
