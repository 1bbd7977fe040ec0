import { showText } from "@byleave/core"

/** A piece of a text: as it is, or a mark that stands for a character nobody would see. */
export type TextPiece =
  | { readonly kind: "plain"; readonly text: string }
  | { readonly kind: "mark"; readonly text: string; readonly name: string }

const marks = /(⟨U\+[0-9A-F]{4,6}⟩)/

/** A page draws no more marks of one text as parts of their own; beyond it they stand in the text, in their brackets. */
const mostPieces = 4_000

/** Line feeds and tabs stay what they are: the page shows them. Everything else that hides is marked. */
export function textPieces(text: string): readonly TextPiece[] {
  const parts = text
    .split(/([\n\t])/)
    .flatMap((part) => (part === "\n" || part === "\t" ? [part] : showText(part).split(marks)))
  return piecesOf(parts)
}

function piecesOf(parts: readonly string[]): readonly TextPiece[] {
  return parts.length > mostPieces ? [{ kind: "plain", text: parts.join("") }] : parts.flatMap(pieceOf)
}

/** Of a name nothing is expected but a line: line feeds and tabs are marked, too. */
export function namePieces(name: string): readonly TextPiece[] {
  return piecesOf(showText(name).split(marks))
}

function pieceOf(part: string): readonly TextPiece[] {
  if (part === "") return []
  return [marks.test(part) ? markOf(part) : { kind: "plain", text: part }]
}

function markOf(mark: string): TextPiece {
  return { kind: "mark", text: mark.slice(1, -1), name: `Invisible character: ${mark.slice(1, -1)}` }
}

/** A name this long is cut anyway, and is not worth a piece per word. */
const longestDivided = 400

/** A unit this long fits on a line of a phone, also as a card's heading. */
const longestWhole = 22

/** A part of a name after which its line may end. One that `isWhole` is never divided; the words of another are, where there is no room for it. */
export type NameUnit = { readonly words: readonly string[]; readonly isWhole: boolean }

/** The units of a name: what stands between spaces (which are units, too), and a bracket. `files(write_file)` gives `files` and `(write_file)`. */
export function nameUnits(name: string): readonly NameUnit[] {
  if (name.length > longestDivided) return [{ words: [name], isWhole: false }]
  return name.split(/(?<=\s)(?=\S)|(?<=\S)(?=\s)|(?<=[^\s(])(?=\()/).map((unit) => ({
    words: nameWords(unit),
    isWhole: unit.length <= longestWhole && isDivisible.test(unit),
  }))
}

/** Browsers end lines after hyphens and the like, and words of ours end in the places below. */
const isDivisible = /[^\p{L}\p{N}\s]|[a-z][A-Z]/u

/** The words of a unit, in order. `(write_file)` gives `(write_` and `file)`; the numbers of a version stay together. */
function nameWords(unit: string): readonly string[] {
  return unit.split(/(?<=[_./\\:@,])(?<!\d\.)(?=[^_./\\:@,\s])|(?<=\d\.)(?=[^\d_./\\:@,\s])|(?<=[a-z])(?=[A-Z])/)
}
