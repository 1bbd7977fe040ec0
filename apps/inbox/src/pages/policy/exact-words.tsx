import { ShownText } from "@byleave/ui"
import type { ReactNode } from "react"
import { wordPieces } from "./word-pieces.ts"

/** A sentence of a message: what stands between backticks is to be typed exactly so, and looks it. */
export function ExactWords({ text }: { readonly text: string }): ReactNode {
  return wordPieces(text).map((piece, at) =>
    piece.exact ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name than their place
      <code key={at}>
        <ShownText text={piece.text} />
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name than their place
      <ShownText key={at} text={piece.text} />
    ),
  )
}
