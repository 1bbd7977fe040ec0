/**
 * Makes visible what a text hides, for the people who decide by it.
 *
 * I1. What is shown holds no control, bidirectional, invisible or unknown character and no space but U+0020; whole emoji aside.
 * I2. Texts that differ are shown differently: a text cannot pass for one with marks.
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
  return mayHide(text) ? text.replaceAll(patterns().emojiOrHidden, markUnlessEmoji) : text
}

/** The hidden characters of a text, in order; only the first thousand, since nobody reads more and a hostile text may hold millions. */
export function hasHiddenCharacters(text: string): readonly HiddenCharacter[] {
  const characters: HiddenCharacter[] = []
  if (!mayHide(text)) return characters
  for (const { 0: found, index } of text.matchAll(patterns().emojiOrHidden)) {
    if (!patterns().oneHidden.test(found)) continue
    const codePoint = found.codePointAt(0) ?? 0
    characters.push({ offset: index, codePoint, name: hiddenName(codePoint), kind: hiddenKind(codePoint) })
    if (characters.length === mostReported) break
  }
  return characters
}

const mostReported = 1_000

// Control, format, private, unassigned; all spaces but one; what Unicode says to draw as nothing, and four that are drawn as nothing anyway.
const hidden = String.raw`[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{16fe4}\u{1d159}]--[ ]]`
const fakeMark = String.raw`⟨(?=U\+)`

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

function makePatterns() {
  return {
    oneHidden: new RegExp(`^${hidden}$`, "v"),
    mayHide: new RegExp(`${hidden}|${fakeMark}`, "v"),
    // Emoji first: inside a whole one, joiners and variation selectors hide nothing.
    emojiOrHidden: new RegExp(String.raw`\p{RGI_Emoji}|${hidden}|${fakeMark}`, "gv"),
  }
}

function markUnlessEmoji(found: string): string {
  if (found !== "⟨" && !patterns().oneHidden.test(found)) return found
  return `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`
}
