/** A word of a command line, and where it begins. */
export type ShellWord = { readonly text: string; readonly line: number; readonly column: number }

/** The words of a command line as a shell takes them apart; undefined where a quote is not closed. No variable or pattern is expanded. */
export function shellWords(text: string): readonly ShellWord[] | undefined {
  const words: ShellWord[] = []
  let line = 1
  let lineStart = 0
  let at = 0
  while (at < text.length) {
    if (/\s/.test(text[at] as string) || (text[at] === "\\" && text[at + 1] === "\n")) {
      if (text[at] === "\\") at += 1
      if (text[at] === "\n") {
        line += 1
        lineStart = at + 1
      }
      at += 1
      continue
    }
    const place = { line, column: at - lineStart + 1 }
    const word = wordAt(text, at)
    if (word === undefined) return undefined
    words.push({ text: word.text, ...place })
    at = word.end
  }
  return words
}

function wordAt(text: string, start: number): { readonly text: string; readonly end: number } | undefined {
  let word = ""
  let at = start
  while (at < text.length && !/\s/.test(text[at] as string)) {
    const character = text[at] as string
    if (character === "'" || character === '"') {
      const close = closingQuote(text, at)
      if (close < 0) return undefined
      const inside = text.slice(at + 1, close)
      word += character === "'" ? inside : inside.replaceAll(/\\(["\\$`])/g, "$1")
      at = close + 1
    } else if (character === "\\" && at + 1 < text.length) {
      if (text[at + 1] === "\n") break
      word += text[at + 1]
      at += 2
    } else {
      word += character
      at += 1
    }
  }
  return { text: word, end: at }
}

function closingQuote(text: string, open: number): number {
  const quote = text[open] as string
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === "\\" && quote === '"') at += 1
    else if (text[at] === quote) return at
  }
  return -1
}

/** A word that a POSIX shell takes as it is. */
export function shellQuoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
