/** Values as they are: nothing hidden without saying so, nothing in them alive. */
import { EyeOff } from "lucide-react"
import { type ReactNode, useMemo } from "react"
import { ShownName, ShownText } from "../../parts/shown-text.tsx"
import { addressPieces } from "./address-pieces.ts"
import { cutMiddle, hiddenWords, moreOf, stepOf } from "./cut-text.ts"
import { type Steps, useFold } from "./folds.ts"
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

/** About how many lines so many characters take. */
function linesIn(characters: number): number {
  return Math.ceil(characters / 100)
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
  const [isOpen, setOpen] = useFold(isElsewhere ? 0 : linesIn(cut.hidden))
  if (cut.hidden === 0) {
    return (
      <>
        <Address text={lines} name={name} />
        <EndBreaks breaks={breaks} />
      </>
    )
  }
  return (
    <>
      <span className={look.exact}>
        <ShownText text={isOpen ? lines : cut.shown} />
        {isOpen ? <EndBreaks breaks={breaks} /> : <span aria-hidden="true">…</span>}
      </span>{" "}
      <More isOpen={isOpen} words={moreOf(cut.hidden, "character")} onToggle={() => setOpen(!isOpen)} />
      {!isOpen && cut.end !== "" && (
        <span className={`${look.exact} ${look.end}`}>
          <span aria-hidden="true">…</span>
          <ShownText text={cut.end} />
          <EndBreaks breaks={breaks} />
        </span>
      )}
    </>
  )
}

/** A name, or anything else that is one line, in full, or its beginning and its end: a line break in it is marked, however long it is. */
export function LongName({ text, most }: { readonly text: string; readonly most: number }): ReactNode {
  const cut = useMemo(() => cutMiddle(text, most, Number.POSITIVE_INFINITY), [text, most])
  const [isOpen, setOpen] = useFold(linesIn(cut.hidden))
  const isCut = cut.hidden > 0 && !isOpen
  return (
    <>
      <span className={look.exact}>
        <ShownName text={isCut ? cut.shown : text} />
        {isCut && <span aria-hidden="true">…</span>}
      </span>
      {cut.hidden > 0 && " "}
      {cut.hidden > 0 && (
        <More isOpen={isOpen} words={moreOf(cut.hidden, "character")} onToggle={() => setOpen(!isOpen)} />
      )}
      {isCut && cut.end !== "" && (
        <span className={`${look.exact} ${look.end}`}>
          <span aria-hidden="true">…</span>
          <ShownName text={cut.end} />
        </span>
      )}
    </>
  )
}

/** Line breaks that nothing follows: nobody would see them. */
function EndBreaks({ breaks }: { readonly breaks: string }): ReactNode {
  if (breaks === "") return null
  const words = breaks.length === 1 ? "a line break at the end" : `${breaks.length} line breaks at the end`
  return (
    <>
      <span className={look.breaks} role="img" aria-label={words} title={words}>
        ↵{breaks.length > 1 && ` ×${breaks.length}`}
      </span>
      {breaks}
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

const marks = /(⟨U\+[0-9A-F]{4,6}⟩)/

/** A sentence of ours in which names of others stand, already marked where they hide something. */
export function Sentence({ text }: { readonly text: string }): ReactNode {
  return (
    <bdi>
      {text.split(marks).map((part, at) =>
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
