/**
 * Marks comments, strings, keywords and numbers by a file's ending, for reading a difference. It knows the shape of languages, not their grammar:
 * where it errs, a word has another colour, and no text is hidden or changed.
 */
export type TokenKind = "comment" | "string" | "keyword" | "number"

/** A part of one line, in UTF-16 code units. */
export type Token = { readonly start: number; readonly end: number; readonly kind: TokenKind }

type Language = {
  /** Patterns of comments and strings. Each takes what it begins with, so that no text is looked at twice. */
  readonly comments: string
  readonly strings: string
  readonly keywords: string
  readonly ignoresCase?: boolean
}

const slashes = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`
const hash = String.raw`(?<![^\s;(])#[^\n]*`
const double = String.raw`"(?:\\.|[^"\\\n]){0,2000}"?`
const single = String.raw`'(?:\\.|[^'\\\n]){0,120}'`
const template = String.raw`\x60(?:\\[\s\S]|[^\x60\\])*(?:\x60|$)`
const triple = String.raw`"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)`

const script: Language = {
  comments: slashes,
  strings: `${template}|${double}|${single}`,
  keywords: `as async await break case catch class const continue default delete do else enum export extends false finally for from function if
    implements import in instanceof interface let new null of private protected public readonly return satisfies static super switch this throw
    true try type typeof undefined var void while yield`,
}
const compiled: Language = {
  comments: slashes,
  strings: `${double}|${single}`,
  keywords: `abstract as auto bool boolean break byte case catch chan char class const continue crate default defer do double dyn else enum
    extends extern false final finally float fn for foreach func fun go goto guard if impl implements import in int interface internal let long
    loop match mod move mut namespace new nil null operator override package private protected pub public range return self short sizeof static
    string struct super switch template this throw trait true try type typedef union unsafe unsigned use using val var virtual void where while`,
}
const python: Language = {
  comments: hash,
  strings: `${triple}|${double}|${single}`,
  keywords: `and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match
    None nonlocal not or pass raise return True try while with yield`,
}
const ruby: Language = {
  comments: hash,
  strings: `${double}|${single}`,
  keywords: `and begin break case class def do else elsif end ensure false for if in module next nil not or redo require rescue retry return self
    super then true unless until when while yield`,
}
const shell: Language = {
  comments: hash,
  strings: `${double}|${single}`,
  keywords:
    "case do done elif else esac exit export fi for function if in local return set shift then trap unset until while",
}
const settings: Language = {
  comments: hash,
  strings: `${double}|${single}`,
  keywords: "true false null yes no on off",
}
const json: Language = { comments: slashes, strings: double, keywords: "true false null" }
const css: Language = {
  comments: String.raw`\/\*[\s\S]*?(?:\*\/|$)`,
  strings: `${double}|${single}`,
  keywords: "important",
}
const markup: Language = { comments: String.raw`<!--[\s\S]*?(?:-->|$)`, strings: double, keywords: "" }
const sql: Language = {
  comments: String.raw`--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`,
  strings: `${double}|${single}`,
  ignoresCase: true,
  keywords: `add all alter and as asc begin between by case check column commit constraint create default delete desc distinct drop else end
    exists foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary
    references returning right rollback select set table then union unique update values view when where with`,
}

const endings: ReadonlyArray<readonly [Language, string]> = [
  [script, "js mjs cjs jsx ts mts cts tsx vue svelte"],
  [compiled, "c h cc cpp hpp cs go rs java kt kts swift scala dart php m proto zig"],
  [python, "py pyi"],
  [ruby, "rb ex exs"],
  [shell, "sh bash zsh fish dockerfile makefile mk"],
  [settings, "yaml yml toml ini conf cfg env properties gitignore"],
  [json, "json jsonc json5 jsonl"],
  [css, "css scss less"],
  [markup, "html htm xml svg"],
  [sql, "sql"],
]
const languageByEnding = new Map(
  endings.flatMap(([language, names]) => names.split(" ").map((name) => [name, language] as const)),
)

/** Longer texts are shown without. */
const longest = 300_000

/** The tokens of each line; null where the ending says nothing. */
export function highlightLines(text: string, path: string | null): ReadonlyArray<readonly Token[]> | null {
  const name = path?.split(/[\\/]/).at(-1)?.toLowerCase() ?? ""
  const language = languageByEnding.get(name.slice(name.lastIndexOf(".") + 1))
  if (language === undefined || text.length > longest) return null
  const lines: Token[][] = [[]]
  let lineStart = 0
  let at = 0
  // Lines begin where tokens are told of: both are walked through once.
  const advance = (to: number): void => {
    for (let end = text.indexOf("\n", at); end >= 0 && end < to; end = text.indexOf("\n", at)) {
      lines.push([])
      lineStart = end + 1
      at = end + 1
    }
    at = Math.max(at, to)
  }
  for (const found of text.matchAll(patternOf(language))) {
    const kind = kindOf(found, language)
    if (kind === null) continue
    advance(found.index)
    let start = found.index
    for (const part of found[0].split("\n")) {
      advance(start)
      if (part !== "") lines.at(-1)?.push({ start: start - lineStart, end: start - lineStart + part.length, kind })
      start += part.length + 1
    }
  }
  return lines
}

function patternOf({ comments, strings }: Language): RegExp {
  return new RegExp(`(${comments})|(${strings})|(\\b\\d[\\w.]*)|([A-Za-z_$][\\w$]*)`, "g")
}

const wordsOf = new Map<Language, ReadonlySet<string>>()

function kindOf([text, comment, string, number]: RegExpExecArray, language: Language): TokenKind | null {
  if (comment !== undefined) return "comment"
  if (string !== undefined) return "string"
  if (number !== undefined) return "number"
  const words = wordsOf.get(language) ?? new Set(language.keywords.split(/\s+/))
  wordsOf.set(language, words)
  return words.has(language.ignoresCase === true ? text.toLowerCase() : text) ? "keyword" : null
}
