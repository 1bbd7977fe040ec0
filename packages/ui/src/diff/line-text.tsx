import { Fragment, type ReactNode } from "react"
import { cutText } from "../card/arguments/cut-text.ts"
import { LongText, SpacePieces } from "../card/arguments/shown-value.tsx"
import { allSpaces, edgeSpaces, type SpacePiece } from "../card/arguments/space-pieces.ts"
import type { DiffLine } from "../card/changes/line-diff.ts"
import { ShownText } from "../parts/shown-text.tsx"
import look from "./diff-lines.module.css"
import type { Token } from "./highlight.ts"

export type TokensOf = (line: DiffLine) => readonly Token[]

/** Longer lines are shown from their beginning. */
export const longestLine = 1_500

type LineTextProps = { readonly line: DiffLine; readonly tokens: readonly Token[] }

/** A line's text: what changed in it is underlined, blanks that would go unseen are signs, the rest has the colours of its language. */
export function LineText({ line: { text, before, kind, changed }, tokens }: LineTextProps): ReactNode {
  if (cutText(text, longestLine, 1).hidden > 0) return <LongText text={text} most={longestLine} />
  if (kind === "same" && before !== null) return <Coloured text={text} tokens={tokens} from={0} />
  if (changed === null) return <Pieces pieces={edgeSpaces(text)} tokens={tokens} from={0} />
  const last = changed.at(-1)?.end ?? 0
  return (
    <>
      {changed.map(({ start, end }, at) => {
        const before = changed[at - 1]?.end ?? 0
        return (
          <Fragment key={start}>
            <Coloured text={text.slice(before, start)} tokens={tokens} from={before} />
            {end > start && (
              <em className={look.changed}>
                <Pieces pieces={allSpaces(text.slice(start, end))} tokens={tokens} from={start} />
              </em>
            )}
          </Fragment>
        )
      })}
      <Pieces pieces={edgeSpaces(text.slice(last))} tokens={tokens} from={last} />
    </>
  )
}

type PiecesProps = { readonly pieces: readonly SpacePiece[]; readonly tokens: readonly Token[]; readonly from: number }

function Pieces({ pieces, tokens, from }: PiecesProps): ReactNode {
  if (tokens.length === 0) return <SpacePieces pieces={pieces} />
  let at = from
  return pieces.map((piece) => {
    const start = at
    at += piece.text.length
    return piece.isSpace ? (
      <SpacePieces key={start} pieces={[piece]} />
    ) : (
      <Coloured key={start} text={piece.text} tokens={tokens} from={start} />
    )
  })
}

type ColouredProps = { readonly text: string; readonly tokens: readonly Token[]; readonly from: number }

/** A part of a line that begins at `from`. */
function Coloured({ text, tokens, from }: ColouredProps): ReactNode {
  const parts = partsOf(text, tokens, from)
  if (parts.length === 1 && parts[0]?.kind === null) return <ShownText text={text} />
  return parts.map((part) =>
    part.kind === null ? (
      <ShownText key={part.start} text={part.text} />
    ) : (
      <span key={part.start} data-token={part.kind}>
        <ShownText text={part.text} />
      </span>
    ),
  )
}

type Part = { readonly start: number; readonly text: string; readonly kind: Token["kind"] | null }

function partsOf(text: string, tokens: readonly Token[], from: number): readonly Part[] {
  const parts: Part[] = []
  let at = 0
  const add = (end: number, kind: Part["kind"]): void => {
    if (end > at) parts.push({ start: at, text: text.slice(at, end), kind })
    at = Math.max(at, end)
  }
  for (const { start, end, kind } of tokens) {
    if (end <= from + at || start >= from + text.length) continue
    add(start - from, null)
    add(Math.min(end - from, text.length), kind)
  }
  add(text.length, null)
  return parts
}
