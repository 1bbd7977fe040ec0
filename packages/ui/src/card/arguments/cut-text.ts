export type CutText = {
  readonly shown: string
  /** How many characters are not shown; 0 when all are. */
  readonly hidden: number
}

/** Not worth a button. */
const slack = 80

/** The beginning of a text, by characters and lines; never half a character. */
export function cutText(text: string, most: number, mostLines: number): CutText {
  const end = Math.min(endOfLines(text, mostLines), most)
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

/** The beginning of a long text and its end: nobody should be able to put what matters behind what does not. */
export function cutMiddle(text: string, most: number, mostLines: number): CutMiddle {
  const { shown, hidden } = cutText(text, most, mostLines)
  if (hidden === 0) return { shown, hidden, end: "" }
  const end = lastLines(text.slice(-Math.min(endCharacters, hidden)))
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

/** What is said of a secret instead of it. */
export function hiddenWords(length: number): string {
  return `hidden, ${countOf(length, "character")}`
}

/** `812 bytes`, `12 kB`, `3.4 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return countOf(bytes, "byte")
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
