/**
 * Makes visible what a text hides, for the people who decide by it.
 *
 * I1. What is shown holds no control, bidirectional, invisible or unknown character and no space but U+0020; whole emoji aside.
 * I2. Texts that differ are shown differently: a text cannot pass for one with marks.
 * I3. The engine is asked about a hundred emoji of one text at most: beyond them, joined ones are shown with their marks.
 */
import { type HiddenKind, hiddenKind, hiddenName } from "./hidden-name.ts"

export type HiddenCharacter = {
  /** In UTF-16 code units. */
  readonly offset: number
  readonly codePoint: number
  readonly name: string
  readonly kind: HiddenKind
}

/** The text with each hidden character as a mark such as `⟨U+202E⟩`. Line feeds and tabs too: split first where lines shall stay. */
export function showText(text: string): string {
  if (!mayHide(text)) return text
  const isWhole = wholeEmoji()
  return text.replaceAll(patterns().clusterOrHidden, (found) => {
    if (found === fakeBegin) return mark(found)
    return isWhole(found) ? found : found.replaceAll(patterns().eachHidden, mark)
  })
}

/** The hidden characters of a text, in order; only the first thousand, since nobody reads more and a hostile text may hold millions. */
export function hasHiddenCharacters(text: string): readonly HiddenCharacter[] {
  const characters: HiddenCharacter[] = []
  if (!mayHide(text)) return characters
  const isWhole = wholeEmoji()
  for (const { 0: cluster, index: start } of text.matchAll(patterns().clusterOrHidden)) {
    if (cluster === fakeBegin || isWhole(cluster)) continue
    for (const { 0: found, index } of cluster.matchAll(patterns().eachHidden)) {
      const codePoint = found.codePointAt(0) ?? 0
      characters.push({ offset: start + index, codePoint, name: hiddenName(codePoint), kind: hiddenKind(codePoint) })
      if (characters.length === mostReported) return characters
    }
  }
  return characters
}

const mostReported = 1_000

// Control, format, private, unassigned; all spaces but one; what Unicode says to draw as nothing, and four that are drawn as nothing anyway.
const hidden = String.raw`[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{16fe4}\u{1d159}]--[ ]]`
const fakeBegin = "⟨"
const fakeMark = String.raw`${fakeBegin}(?=U\+)`

/** Most of what anyone shows; it hides nothing, and needs none of the patterns below. */
const plain = /^[ -~]*$/

function mayHide(text: string): boolean {
  return !plain.test(text) && patterns().mayHide.test(text)
}

let made: ReturnType<typeof makePatterns> | undefined

// The engine takes longer to make these than a command to start, so they wait for a text that needs them.
function patterns(): ReturnType<typeof makePatterns> {
  made ??= makePatterns()
  return made
}

// The parts of an emoji that hide nothing inside a whole one: a skin tone, a variation selector, a keycap, tags.
const emojiParts = String.raw`(?:\p{EMod}|\ufe0f?\u20e3|\ufe0f|[\u{e0020}-\u{e007e}]{1,32}\u{e007f})?`
const cluster = String.raw`\p{Emoji}${emojiParts}(?:\u200d\p{Emoji}${emojiParts}){0,16}`

function makePatterns() {
  return {
    mayHide: new RegExp(`${hidden}|${fakeMark}`, "v"),
    eachHidden: new RegExp(hidden, "gv"),
    clusterOrHidden: new RegExp(`${cluster}|${hidden}|${fakeMark}`, "gv"),
    oneEmoji: /^\p{RGI_Emoji}$/v,
  }
}

/** Asking the engine whether a text is an emoji takes long, and a hostile text may ask for thousands: the rest of them are shown with their marks. */
const mostAsked = 100

/** Whether a cluster hides nothing: it has no hidden character, or is one emoji as a whole. For one text. */
function wholeEmoji(): (cluster: string) => boolean {
  const known = new Map<string, boolean>()
  return (cluster) => {
    if (!patterns().mayHide.test(cluster)) return true
    const asked = known.get(cluster)
    if (asked !== undefined) return asked
    if (known.size >= mostAsked || cluster.length === 1) return false
    const isEmoji = patterns().oneEmoji.test(cluster)
    known.set(cluster, isEmoji)
    return isEmoji
  }
}

function mark(found: string): string {
  return `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`
}
