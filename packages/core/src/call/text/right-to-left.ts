/** The blocks of scripts that are written from right to left: Hebrew, Arabic, Syriac, Thaana, NKo, Adlam and others. Unicode keeps them for such alone. */
const blocks = String.raw`\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}`
const ofBlocks = new RegExp(`[${blocks}]`, "u")

/**
 * Whether parts of a line of the text may be displayed in another order than they have in it: it has letters from right to left, and digits, other letters,
 * or signs between them. What is marked where it is shown, such as controls of direction, does not count.
 */
export function mayBeReordered(text: string): boolean {
  return ofBlocks.test(text) && text.split("\n").some(isMixed)
}

function isMixed(line: string): boolean {
  if (!ofBlocks.test(line)) return false
  const { letter, other, signBetween } = patterns()
  return (letter.test(line) && other.test(line)) || signBetween.test(line)
}

let made: ReturnType<typeof makePatterns> | undefined

// Few texts need them, and the engine takes long to make them.
function patterns(): ReturnType<typeof makePatterns> {
  made ??= makePatterns()
  return made
}

function makePatterns() {
  const shown = String.raw`[[${blocks}]--[\p{M}\p{C}]]`
  const sign = String.raw`[[\p{P}\p{S}]--[${blocks}]]`
  return {
    letter: new RegExp(String.raw`[${shown}--\p{N}]`, "v"),
    other: new RegExp(String.raw`[\p{N}[\p{L}--[${blocks}]]]`, "v"),
    signBetween: new RegExp(`${shown}[^${shown}${sign}]*${sign}[^${shown}]*${shown}`, "v"),
  }
}
