import { Notice, Sentence } from "@byleave/ui"
import type { ReactNode } from "react"

/** Why something was not done; nothing where nothing went wrong. Servers and services have a say in the words, so what they hide is marked. */
export function ProblemNotice({ words }: { readonly words: string | null }): ReactNode {
  if (words === null) return null
  return (
    <Notice tone="no">
      <Sentence text={words} />
    </Notice>
  )
}
