import { showText } from "@byleave/core"

/** A piece of a text: as it is, or a mark that stands for a character nobody would see. */
export type TextPiece =
  | { readonly kind: "plain"; readonly text: string }
  | { readonly kind: "mark"; readonly text: string; readonly name: string }

const marks = /(⟨U\+[0-9A-F]{4,6}⟩)/

/** Line feeds and tabs stay what they are: the page shows them. Everything else that hides is marked. */
export function textPieces(text: string): readonly TextPiece[] {
  return text
    .split(/([\n\t])/)
    .flatMap((part) => (part === "\n" || part === "\t" ? [part] : showText(part).split(marks)))
    .flatMap(pieceOf)
}

/** Of a name nothing is expected but a line: line feeds and tabs are marked, too. */
export function namePieces(name: string): readonly TextPiece[] {
  return showText(name).split(marks).flatMap(pieceOf)
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

/** The words of a name, in order: where a line may end in it. `files(write_file)` gives `files(`, `write_`, `file)`. */
export function nameWords(name: string): readonly string[] {
  if (name.length > longestDivided) return [name]
  return name.split(/(?<=[_./\\(:@,])(?=[^_./\\(:@,\s])|(?<=[a-z])(?=[A-Z])/)
}
