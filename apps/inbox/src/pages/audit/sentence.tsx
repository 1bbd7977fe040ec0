import { TheirName } from "@byleave/ui"
import type { ReactNode } from "react"
import type { Sentence } from "./record-parts.ts"

/** A sentence of ours with others' words in it, which cannot pass for ours. */
export function SentenceText({ sentence }: { readonly sentence: Sentence }): ReactNode {
  return sentence.map((part, at) =>
    typeof part === "string" ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a sentence have no other name than their place
      <TheirName key={at} text={part.their} most={200} />
    ),
  )
}
