/** Values as they are: nothing hidden without saying so, nothing in them alive. */
import { EyeOff } from "lucide-react"
import { type ReactNode, useMemo } from "react"
import { ShownName, ShownText } from "../../parts/shown-text.tsx"
import { longestInRow } from "../../words/row-text.ts"
import { addressPieces } from "./address-pieces.ts"
import {
  type CutMiddle,
  charactersAtOnce,
  countOf,
  cutMiddle,
  hiddenWords,
  runPieces,
  stepOf,
  textBlocks,
} from "./cut-text.ts"
import { type Steps, useSteps } from "./folds.ts"
import look from "./shown-value.module.css"
import { endBreaks, outerSpaces, type SpacePiece, spaceSigns, spaceWords } from "./space-pieces.ts"

type MoreProps = {
  readonly isOpen: boolean
  /** Exactly how much is not shown. */
  readonly words: string
  readonly less?: string
  readonly onToggle: () => void
}

/** A button in the text that shows the rest, or takes it away again. */
export function More({ isOpen, words, less = "Show less", onToggle }: MoreProps): ReactNode {
  return (
    <button type="button" className={look.more} aria-expanded={isOpen} onClick={onToggle}>
      {isOpen ? less : `Show ${words}`}
    </button>
  )
}

type MoreStepsProps = { readonly steps: Steps; readonly one: string; readonly many?: string }

/** The button for the next of many things; nothing where all are drawn. */
export function MoreSteps({ steps: { rest, next, onMore }, one, many }: MoreStepsProps): ReactNode {
  if (rest === 0) return null
  return <More isOpen={false} words={stepOf(next, rest, one, many)} onToggle={onMore} />
}

/**
 * About how many lines of a diff take as much work as so many characters of a text: it is laid out as a whole, over and over while the end of
 * each line is looked for.
 */
function linesIn(characters: number): number {
  return Math.ceil(characters / 20)
}

type LongTextProps = {
  readonly text: string
  readonly name?: string
  readonly most?: number
  readonly mostLines?: number
  /** It stands in full somewhere else, so nothing is missed here. */
  readonly isElsewhere?: boolean
}

/** Somebody else's text in full, or its beginning, its end, and how much is between. `name` tells paths and addresses. */
export function LongText({
  text,
  name = "",
  most = 700,
  mostLines = 14,
  isElsewhere = false,
}: LongTextProps): ReactNode {
  const [lines, breaks] = endBreaks(text)
  const cut = useMemo(() => cutMiddle(lines, most, mostLines), [lines, most, mostLines])
  const end = <EndBreaks breaks={breaks} />
  if (cut.hidden > 0) return <CutShort text={lines} cut={cut} piece={ShownText} end={end} hides={!isElsewhere} />
  return (
    <>
      <Address text={lines} name={name} />
      {end}
    </>
  )
}

type LongNameProps = { readonly text: string; readonly most: number }

/** A name, or anything else that is one line, in full, or its beginning and its end: a line break in it is marked, however long it is. */
export function LongName({ text, most }: LongNameProps): ReactNode {
  const cut = useMemo(() => cutMiddle(text, most, Number.POSITIVE_INFINITY), [text, most])
  if (cut.hidden > 0) return <CutShort text={text} cut={cut} piece={ShownName} end={null} />
  return (
    <span className={look.exact}>
      <ShownName text={text} />
    </span>
  )
}

/** The name of a call in full, below a row that has only a part of it; nothing where the row has all. */
export function WholeName({ text }: { readonly text: string }): ReactNode {
  if (text.length <= longestInRow) return null
  return (
    <p>
      <LongName text={text} most={longestInRow} />
    </p>
  )
}

type CutShortProps = {
  readonly text: string
  readonly cut: CutMiddle
  readonly piece: typeof ShownText
  /** Stands at the end of the text. */
  readonly end: ReactNode
  /** It stands in full nowhere else. */
  readonly hides?: boolean
}

/** The beginning of a text and its end; with each press, more of what is between. */
function CutShort({ text, cut, piece: Piece, end, hides = true }: CutShortProps): ReactNode {
  const atLines = Piece === ShownText
  const blocks = useMemo(
    () => textBlocks(text, charactersAtOnce, { more: cut.shown.length, atLines }),
    [text, cut.shown.length, atLines],
  )
  const steps = useSteps(blocks.length, 0, 1, {
    linesOfEach: linesIn(Math.min(text.length, charactersAtOnce)),
    hides,
    oneAPress: true,
  })
  const shown = blocks.slice(0, steps.shown)
  const pieces = useMemo(() => blocks.slice(0, steps.shown).flatMap(runPieces), [blocks, steps.shown])
  const isWhole = steps.rest === 0
  const length = Math.max(
    cut.shown.length,
    shown.reduce((sum, block) => sum + block.length, 0),
  )
  const rest = text.length - length - cut.end.length
  const next = steps.rest === 1 ? rest : (blocks[steps.shown]?.length ?? 0) - (steps.shown === 0 ? length : 0)
  return (
    <>
      {steps.shown === 0 ? (
        <span className={look.exact}>
          <Piece text={cut.shown} />
          <GoesOn />
        </span>
      ) : (
        pieces.map((piece, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name than their place
          <span key={at} className={isWhole && pieces.length === 1 ? look.exact : `${look.exact} ${look.block}`}>
            <Piece text={piece} />
            {isWhole && at === pieces.length - 1 ? end : !(atLines && piece.endsWith("\n")) && <GoesOn />}
          </span>
        ))
      )}{" "}
      {!isWhole && <More isOpen={false} words={stepOf(next, rest, "character")} onToggle={steps.onMore} />}
      {steps.shown > 0 && <More isOpen={true} words="" onToggle={steps.onLess} />}
      {!isWhole && cut.end !== "" && (
        <span className={`${look.exact} ${look.block}`}>
          <GoesOn />
          <Piece text={cut.end} />
          {end}
        </span>
      )}
    </>
  )
}

function GoesOn(): ReactNode {
  return <span aria-hidden="true">…</span>
}

/** More blank lines would only push what follows out of sight; how many there are is said. */
const mostBreaks = 14

/** Line breaks that nothing follows: nobody would see them. */
function EndBreaks({ breaks }: { readonly breaks: string }): ReactNode {
  if (breaks === "") return null
  const words = breaks.length === 1 ? "a line break at the end" : `${countOf(breaks.length, "line break")} at the end`
  return (
    <>
      <span className={look.breaks} role="img" aria-label={words} title={words}>
        ↵{breaks.length > 1 && ` ×${breaks.length}`}
      </span>
      {breaks.slice(0, mostBreaks)}
    </>
  )
}

function Address({ text, name }: { readonly text: string; readonly name: string }): ReactNode {
  const pieces = addressPieces(name, text)
  if (pieces.length === 1) return <Spaced text={text} />
  return (
    <span className={look.exact}>
      {pieces.map((piece, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name than their place
        <span key={at} className={piece.isEmphasised ? look.key : "soft"}>
          <ShownText text={piece.text} />
        </span>
      ))}
    </span>
  )
}

function Spaced({ text }: { readonly text: string }): ReactNode {
  return (
    <span className={look.exact}>
      <SpacePieces pieces={outerSpaces(text)} />
    </span>
  )
}

/** Pieces of a line, blanks as signs. */
export function SpacePieces({ pieces }: { readonly pieces: readonly SpacePiece[] }): ReactNode {
  return pieces.map((piece, at) =>
    piece.isSpace ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name than their place
      <span key={at} className={look.space} title={spaceWords(piece.text)} data-signs={spaceSigns(piece.text)}>
        {piece.text}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name than their place
      <ShownText key={at} text={piece.text} />
    ),
  )
}

type MaskedProps = { readonly name: string; readonly length: number; readonly onReveal: () => void }

/** A secret that nobody has asked to see. */
export function Masked({ name, length, onReveal }: MaskedProps): ReactNode {
  return (
    <span className={look.masked}>
      <span className={look.mask}>
        <EyeOff aria-hidden="true" />
        <span>{hiddenWords(length)}</span>
      </span>
      <button type="button" className={look.more} onClick={onReveal}>
        Reveal <span className="only-read-aloud">{name}</span>
      </button>
    </span>
  )
}

const quotations = /("(?:[^"\\]|\\.)*")/s
const marks = /(⟨U\+[0-9A-F]{4,6}⟩)/

/**
 * A sentence of ours in which names of others stand, already marked where they hide something. It reads from left to right whatever their letters,
 * and each quotation is set apart: letters from right to left in it move no word of ours.
 */
export function Sentence({ text }: { readonly text: string }): ReactNode {
  return (
    <bdi dir="ltr">
      {text
        .split(quotations)
        .flatMap((part) => part.split(marks))
        .filter((part) => part !== "")
        .map((part, at) =>
          marks.test(part) ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name than their place
            <mark key={at} className={look.mark}>
              {part.slice(1, -1)}
            </mark>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name than their place
            <ShownText key={at} text={part} />
          ),
        )}
    </bdi>
  )
}
