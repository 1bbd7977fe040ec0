import { hasHiddenCharacters } from "@byleave/core"

export type CutText = {
  readonly shown: string
  /** How many characters are not shown; 0 when all are. */
  readonly hidden: number
}

/** Not worth a button. */
const slack = 80

/** A mark in place of a hidden character takes the room of so many others, and far more work. */
const markCost = 20

/** The cost of drawing a text, counted in plain characters. */
export function drawingCost(text: string): number {
  return text.length + markedIn(text).length * (markCost - 1)
}

/** Where hidden characters stand that are drawn as marks; of many, the first thousand. */
function markedIn(text: string): readonly number[] {
  return hasHiddenCharacters(text).flatMap(({ codePoint, offset }) =>
    codePoint === 0x09 || codePoint === 0x0a ? [] : [offset],
  )
}

/** As much of a text as may be drawn: fewer characters where marks are among them. */
function endOfRoom(text: string, most: number): number {
  let end = most
  for (const offset of markedIn(text.slice(0, most))) {
    if (offset >= end) break
    end = Math.max(offset + 1, end - (markCost - 1))
  }
  return end
}

/** The beginning of a text, by characters and lines; never half a character. */
export function cutText(text: string, most: number, mostLines: number): CutText {
  const end = Math.min(endOfLines(text, mostLines), endOfRoom(text, most))
  if (text.length - end <= slack && end === most) return { shown: text, hidden: 0 }
  if (end >= text.length) return { shown: text, hidden: 0 }
  const cut = isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end
  return { shown: text.slice(0, cut), hidden: text.length - cut }
}

export type CutMiddle = CutText & {
  /** How it ends, where that is shown; what is hidden lies between. */
  readonly end: string
}

const endCharacters = 160
const endLines = 3
/** Of an end that is mostly marks. */
const endOfMarks = 16

/** The beginning of a long text and its end: nobody should be able to put what matters behind what does not. */
export function cutMiddle(text: string, most: number, mostLines: number): CutMiddle {
  const { shown, hidden } = cutText(text, most, mostLines)
  if (hidden === 0) return { shown, hidden, end: "" }
  const last = text.slice(-Math.min(endCharacters, hidden))
  const end = lastLines(drawingCost(last) > 2 * endCharacters ? last.slice(-endOfMarks) : last)
  return end.length === hidden ? { shown: text, hidden: 0, end: "" } : { shown, hidden: hidden - end.length, end }
}

function lastLines(text: string): string {
  let at = text.length
  for (let line = 0; line < endLines && at >= 0; line += 1) at = at === 0 ? -1 : text.lastIndexOf("\n", at - 1)
  const end = text.slice(at + 1)
  return isLowSurrogate(end.charCodeAt(0)) ? end.slice(1) : end
}

function endOfLines(text: string, mostLines: number): number {
  let at = -1
  for (let line = 0; line < mostLines; line += 1) {
    at = text.indexOf("\n", at + 1)
    if (at < 0) return text.length
  }
  return at
}

/** The most that one press adds to a text, by its cost. */
export const charactersAtOnce = 20_000

/**
 * A text in blocks of about so many characters, the first of them longer by `more`. `atLines`: they end where a line does, if one ends in the
 * last tenth of the block. Never half a character.
 */
export function textBlocks(text: string, size: number, { more = 0, atLines = false } = {}): readonly string[] {
  const blocks: string[] = []
  for (let at = 0; at < text.length; at += blocks.at(-1)?.length ?? 0) {
    const end = at + size + (at === 0 ? more : 0)
    blocks.push(text.slice(at, end >= text.length ? text.length : blockEnd(text, end, atLines ? size / 10 : 0)))
  }
  return blocks
}

function blockEnd(text: string, end: number, searched: number): number {
  const line = searched === 0 ? -1 : text.lastIndexOf("\n", end - 1) + 1
  if (line > end - searched) return line
  return isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end
}

const longestRun = 1_000

/**
 * A text in pieces to be drawn by themselves, cut only where so many letters follow each other without a blank that browsers, looking for the
 * end of each line, take seconds: they lay out letters that join, such as Arabic ones, over and over.
 */
export function runPieces(text: string): readonly string[] {
  const pieces: string[] = []
  let start = 0
  for (const { 0: run, index } of text.matchAll(/\S+/g)) {
    if (run.length <= longestRun || isAscii.test(run)) continue
    let at = index
    for (const part of textBlocks(run, longestRun).slice(0, -1)) {
      at += part.length
      pieces.push(text.slice(start, at))
      start = at
    }
  }
  return [...pieces, text.slice(start)]
}

const isAscii = /^[!-~]*$/

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

const counted = new Intl.NumberFormat("en")

/** `1 line`, `1,204 lines`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${counted.format(count)} ${count === 1 ? one : many}`
}

/** `1,204 more characters`. */
export function moreOf(count: number, one: string, many = `${one}s`): string {
  return `${counted.format(count)} more ${count === 1 ? one : many}`
}

/** `2,000 of 18,204 more lines`, where one press does not show all of them. */
export function stepOf(next: number, rest: number, one: string, many?: string): string {
  return next === rest ? moreOf(rest, one, many) : `${counted.format(next)} of ${moreOf(rest, one, many)}`
}

/** The words shown in place of a secret. */
export function hiddenWords(length: number): string {
  return `hidden, ${countOf(length, "character")}`
}
