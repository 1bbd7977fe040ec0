import type { ReactNode } from "react"
import { isPlainName, quotedWords } from "../words/quoted-words.ts"
import { ShownName } from "./shown-text.tsx"
import look from "./their-words.module.css"

type TheirWordsProps = {
  readonly text: string
  /** How many characters of it are shown. */
  readonly most?: number
}

const longest = 80

/** Words of others within a sentence of ours: one line, in a box and quotes that nothing in them can end, and short. */
export function TheirWords({ text, most = longest }: TheirWordsProps): ReactNode {
  return (
    <span className={look.box}>
      <ShownName text={quotedWords(text, most)} />
    </span>
  )
}

/** A name that others chose, within a sentence of ours: as it is where it cannot pass for more of our words. */
export function TheirName({ text, most = longest }: TheirWordsProps): ReactNode {
  return isPlainName(text, most) ? <ShownName text={text} /> : <TheirWords text={text} most={most} />
}
