import { widthOf } from "../decide/wrap-line.ts"

/** Begins every row of words that others chose. */
const mark = "│ "
/** Some terminals draw the line two columns wide. */
const markWidth = 3

type Saying = {
  /** Something new is said. */
  readonly begins: boolean
  readonly painted: (word: string) => string
}

/**
 * Words of others that arrive piece by piece, in rows that a terminal does not wrap by itself, each with a mark; and lines of ours between them.
 * A word is written once it has ended: until then nobody knows whether it fits.
 */
export function createRows(write: (text: string) => void, width: () => number) {
  /** Of the row that is being written; 0: none is. */
  let column = 0
  let word = ""
  let wordWidth = 0
  let painted: Saying["painted"] = (text) => text
  let out = ""
  const send = (): void => {
    if (out !== "") write(out)
    out = ""
  }
  const endRow = (): void => {
    out += column === 0 ? `${mark.trimEnd()}\n` : "\n"
    column = 0
  }
  const put = (text: string, columns: number): void => {
    if (column > 0 && column + columns > width()) endRow()
    if (column === 0) {
      out += mark
      column = markWidth
    }
    out += text
    column += columns
  }
  const endWord = (): void => {
    if (word === "") return
    put(painted(word), wordWidth)
    word = ""
    wordWidth = 0
  }
  const take = (letter: string): void => {
    if (letter === "\n" || letter === " ") endWord()
    if (letter === "\n") endRow()
    else if (letter === " ") {
      // At the end of a full row nobody would see it.
      if (column < width()) put(" ", 1)
    } else {
      const columns = widthOf(letter)
      if (markWidth + wordWidth + columns > width()) endWord()
      word += letter
      wordWidth += columns
    }
  }
  return {
    /** `text`: escaped, lines as lines. */
    say: (text: string, { begins, painted: paint }: Saying): void => {
      if (begins) {
        endWord()
        out += "\n"
        column = 0
      }
      painted = paint
      for (const letter of text) take(letter)
      send()
    },
    /** Writes the word that has not ended. */
    flush: (): void => {
      endWord()
      send()
    },
    /** Lines of our own begin on a line of their own, whatever was being said. */
    line: (text: string): void => {
      endWord()
      out += `${column > 0 ? "\n" : ""}${text}\n`
      column = 0
      send()
    },
  }
}
