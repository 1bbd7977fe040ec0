import { holdsSecret } from "@byleave/api/page"
import { type ReactNode, useMemo, useState } from "react"
import { cutText, runPieces } from "../card/arguments/cut-text.ts"
import { Masked, MoreSteps } from "../card/arguments/shown-value.tsx"
import { ShownText } from "../parts/shown-text.tsx"
import look from "./run-story.module.css"

const atFirst = 1_500
const atOnce = 8_000
/** About as many characters as a line takes. */
const lineLength = 60

type StoryTextProps = {
  readonly text: string
  /** The service tells no more of it. */
  readonly isCut?: boolean
  /** It is still being written: of a long one the end is shown. */
  readonly isLive?: boolean
}

/** Words of a person, a model or a server: the beginning, and more of a long text with each press. */
export function StoryText({ text, isCut = false, isLive = false }: StoryTextProps): ReactNode {
  const [pressed, setPressed] = useState(0)
  const most = atFirst + pressed * atOnce
  const { shown, hidden: rest } = useMemo(() => cutText(text, most, Math.ceil(most / lineLength)), [text, most])
  if (isLive) return <LiveEnd text={text} />
  const steps = {
    shown: most,
    rest,
    next: Math.min(atOnce, rest),
    onMore: () => setPressed(pressed + 1),
    onLess: () => setPressed(0),
  }
  return (
    <>
      <Pieces text={shown} />
      {(rest > 0 || isCut) && <span aria-hidden="true">…</span>} <MoreSteps steps={steps} one="character" />
      {rest === 0 && isCut && <TheRest />}
    </>
  )
}

/** A long unbroken text in pieces: browsers would take seconds to look for the ends of its lines. */
function Pieces({ text }: { readonly text: string }): ReactNode {
  const pieces = useMemo(() => runPieces(text), [text])
  if (pieces.length === 1) return <ShownText text={text} />
  return pieces.map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name than their place
    <span key={at} className={look.piece}>
      <ShownText text={piece} />
    </span>
  ))
}

/** The service tells no more of a text. */
export function TheRest(): ReactNode {
  return <span className="aside">The rest is too long to be shown here.</span>
}

function LiveEnd({ text }: { readonly text: string }): ReactNode {
  const isLong = text.length > atFirst
  return (
    <>
      {isLong && <span aria-hidden="true">…</span>}
      <Pieces text={isLong ? text.slice(-atFirst).toWellFormed() : text} />
    </>
  )
}

type ToolTextProps = { readonly text: string; readonly isCut: boolean; readonly name: string }

/** The result of a tool. A value that looks like a secret is masked until somebody reveals it. */
export function ToolText({ text, isCut, name }: ToolTextProps): ReactNode {
  const isSecret = useMemo(() => holdsSecret(text), [text])
  if (text === "") return <span className="aside">Empty.</span>
  if (!isSecret) return <StoryText text={text} isCut={isCut} />
  return <HiddenText text={text} isCut={isCut} name={name} why="It appears to contain a secret." />
}

/** A text that is shown to whoever asks for it. */
export function HiddenText({ text, isCut, name, why }: ToolTextProps & { readonly why: string }): ReactNode {
  const [isRevealed, setRevealed] = useState(false)
  if (isRevealed) return <StoryText text={text} isCut={isCut} />
  return (
    <>
      {why} <Masked name={name} length={text.length} onReveal={() => setRevealed(true)} />
    </>
  )
}
