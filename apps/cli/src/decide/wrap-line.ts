import { safeLines, sentenceLines } from "../terminal/paint.ts"

/** Begins every row that goes on with words others chose, so that none of them can pass for a line of ours. */
export const goesOn = "      │ "
/** Some terminals draw its line two columns wide. */
const goesOnWidth = goesOn.length + 1

/** Words that others chose behind a head of ours: the first line stands beside it, every other one begins with the mark. */
export function wordLines(head: string, words: string): readonly string[] {
  return behind(head, safeLines(words))
}

/** The same for a sentence of the engine in which others' words stand. */
export function sentenceRows(head: string, sentence: string): readonly string[] {
  return behind(head, sentenceLines(sentence))
}

function behind(head: string, shown: string): readonly string[] {
  const [first = "", ...more] = shown.split("\n")
  return [first === "" ? head.trimEnd() : `${head}${first}`, ...more.map((line) => `${goesOn}${line}`)]
}

// Escapes colour a line and take no room; they stay with the text they were before.
const colours = /\u001b\[[\d;]*m/y
/** How many columns one letter takes at most. */
export function widthOf(letter: string): number {
  return (letter.codePointAt(0) ?? 0) < firstWide ? 1 : 2
}

/** From here on a character may take two columns; taken for two, no row is ever too wide. */
const firstWide = 0x1100

/** The width of a terminal that does not say it. */
export const usualColumns = 80

/**
 * A line in rows that fit, between words where that is possible: a terminal that wraps by itself begins a row at the edge, where words of
 * others would look like ours. `begun`: so many columns of the first row are taken.
 */
export function wrapLine(line: string, columns: number, begun = 0): string[] {
  const most = Math.max(columns, goesOnWidth + 2)
  const rows: string[] = []
  let row = ""
  let width = begun
  // After the last space of the row.
  let word = { at: 0, width: begun }
  for (let at = 0; at < line.length; ) {
    colours.lastIndex = at
    const colour = colours.exec(line)?.[0]
    const point = line.codePointAt(at) ?? 0
    const piece = colour ?? String.fromCodePoint(point)
    const wide = colour === undefined ? (point < firstWide ? 1 : 2) : 0
    if (width + wide > most) {
      const started = width - word.width
      const isFast = started < most / 2 && goesOnWidth + started + wide <= most
      const cut = isFast ? word.at : row.length
      rows.push(row.slice(0, cut))
      width = goesOnWidth + (isFast ? started : 0)
      row = goesOn + row.slice(cut)
      word = { at: goesOn.length, width: goesOnWidth }
    }
    row += piece
    width += wide
    at += piece.length
    if (piece === " ") word = { at: row.length, width }
  }
  return [...rows, row]
}
