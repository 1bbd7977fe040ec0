import { Fragment, type ReactNode, useMemo } from "react"
import { type NameUnit, namePieces, nameUnits, type TextPiece, textPieces } from "../words/text-pieces.ts"
import look from "./shown-text.module.css"

/**
 * Text that somebody else wrote, as it is: what cannot be seen is shown as a marked escape, and nothing in it is a link. Sentences of ours in
 * which such text stands come marked, and are shown by `Sentence`: marked twice, nobody can read them.
 */
export function ShownText({ text }: { readonly text: string }): ReactNode {
  return <Pieces pieces={useMemo(() => textPieces(text), [text])} />
}

/**
 * A name, or anything else that is one line: a line break in it is marked, so that it cannot pass for two. Where it does not fit, it breaks
 * between its units (`files` / `(write_file)`), a short one only where it `isTight`: in large letters or a narrow column. A long unit breaks
 * between its words (`write_` / `file`) before it breaks inside one.
 */
export function ShownName({ text, isTight = false }: { readonly text: string; readonly isTight?: boolean }): ReactNode {
  return <Pieces pieces={useMemo(() => namePieces(text), [text])} name={isTight ? "tight" : "roomy"} />
}

type Room = "tight" | "roomy"
type PiecesProps = { readonly pieces: readonly TextPiece[]; readonly name?: Room }

function Pieces({ pieces, name }: PiecesProps): ReactNode {
  return (
    <span className={look.text} translate="no">
      {pieces.map((piece, at) =>
        piece.kind === "plain" ? (
          name === undefined ? (
            piece.text
          ) : (
            withBreaks(piece.text, at, name)
          )
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name than their place
          <mark key={at} className={look.escape} title={piece.name}>
            {piece.text}
          </mark>
        ),
      )}
    </span>
  )
}

function withBreaks(text: string, key: number, room: Room): ReactNode {
  const units = nameUnits(text)
  return (
    <Fragment key={key}>
      {units.map((unit, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: units of a name have no other name than their place
        <Fragment key={at}>
          {unit.words[0]?.startsWith("(") && (room === "tight" || !isShort(units[at - 1], unit)) && <wbr />}
          <Unit unit={unit} />
        </Fragment>
      ))}
    </Fragment>
  )
}

/** `files(write_file)` has room on a line of its own wherever text is of the usual size. */
const longestShort = 30

function isShort(...units: readonly (NameUnit | undefined)[]): boolean {
  return units.flatMap((unit) => unit?.words ?? []).join("").length <= longestShort
}

function Unit({ unit: { words, isWhole } }: { readonly unit: NameUnit }): ReactNode {
  if (isWhole) return <span className={look.unit}>{words.join("")}</span>
  return words.map((word, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words of a name have no other name than their place
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {word}
    </Fragment>
  ))
}
