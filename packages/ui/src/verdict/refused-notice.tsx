import type { ReactNode } from "react"
import { Notice } from "../parts/page.tsx"
import { refusalWords } from "./refusal-words.ts"
import type { VerdictState } from "./verdict.ts"

/** Why an answer did not count, or that nobody can tell. Shown where it was given. */
export function RefusedNotice({ verdict }: { readonly verdict: VerdictState }): ReactNode {
  if (verdict.state !== "refused") return null
  const { title, words } = refusalWords(verdict)
  return (
    <Notice tone={verdict.isUnknown ? "wait" : "no"} title={title}>
      {words}
    </Notice>
  )
}
