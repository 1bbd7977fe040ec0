import { isSecretKey } from "./secret-key.ts"
import type { Span } from "./span.ts"

const name = String.raw`(?<![\w-])(-{0,2}[A-Za-z_][\w-]{1,63})`
const quotedName = String.raw`${name}\\?["'\`]?[ \t]{0,4}(:=|[=:](?![=:]))(?:\*\*)?([ \t]{0,4})`
const scheme = String.raw`((?:bearer|basic|token|digest)[ \t]{1,4})?`
const text = String.raw`\\?(["'\`]?)${scheme}([^\s"'\`,;&<>(){}[\]|\\]{4,200})`

/** `password=…`, `"token": "…"`, `Authorization: Bearer …`. Tried where a word begins only, and every part has a longest: linear in the text. */
const pairs = new RegExp(quotedName + text, "gi")
/** `--password …` */
const flags = new RegExp(String.raw`(?<![\w-])(--[a-z][\w-]{1,63})()([ \t]{1,4})${text}`, "gi")

const bearer = /\bbearer[ \t]{1,4}(?=[^\s\d]{0,40}\d)[\w.~+/=-]{8,}/i

/** `with the password hunter2-Tr0ub4dor.`: a word of letters and digits right behind what it is. Every part has a longest. */
const said =
  /(?<![\w-])(?:pass(?:word|phrase|code)|(?:(?:token|secret|(?:api|access|deploy) key)[ \t]{1,4}is))(?:[ \t]{1,4}is)?[ \t]{1,4}["'`“]?([^\s"'`”,;&<>(){}[\]|\\]{6,200})/gi

/** Names of methods, which are no passwords: `password sha256`, `password OAuth2`. */
const notSaid = /^(?:sha|md|aes|rsa|bcrypt|argon|pbkdf|scrypt|utf|base|oauth|http|web|v)-?\d/i

/** Words that stand where a value would and are none: types, and what is said of a setting. */
const noValue =
  /^(?:string|str|number|boolean|bool|bytes|text|varchar|any|unknown|object|null|none|nil|undefined|true|false|required|optional|enabled|disabled|missing|invalid|expired|hidden|redacted|omitted|await)$/i

/** A reference to what is kept elsewhere, a mask, a path, an address, or a member of something in code. */
const elsewhere = /^(?:[$%*#@‹•“.]|x{4}|~?\/|[a-z][a-z+.-]*:\/\/|[a-z_]\w*(?:\??\.[a-z_]+)+$)|(?:…|\.{3})$/i

/** Under other names, such as `pin` or `auth`, words are mostly settings. */
const strongName = /pass|pwd|secret|token|key/i

/** Whether a secret stands in a text behind its name. Errs towards yes, but for code that only passes one on. */
export function holdsNamedSecret(text: string): boolean {
  return [pairs, flags].some((shape) => holdsPair(text, shape)) || bearer.test(text) || isSaid(text)
}

/** Where each such secret stands. A value in quotes is whole where nothing in it could begin a command. */
export function namedSecretSpans(text: string): readonly Span[] {
  const named = [pairs, flags].flatMap((shape) =>
    Array.from(text.matchAll(shape)).filter((match) => isSecretKey(match[1] ?? "") && isValue(match, text)),
  )
  const spoken = Array.from(text.matchAll(said)).filter(([, end = ""]) => isSaidValue(end))
  const behind = Array.from(text.matchAll(new RegExp(bearer, "gi")), (match) => {
    const { index } = match
    return { start: index + (/^\w+[ \t]+/.exec(match[0])?.[0].length ?? 0), end: index + match[0].length }
  })
  return [...[...named, ...spoken].map((match) => valueSpan(match, text)), ...behind]
}

const restOfWord = /[^\s"'`,;&<>(){}[\]|\\]*/y
const restOfQuotation = { '"': /[\w .,!@#%^*+=:/?-]*(?=")/y, "'": /[\w .,!@#%^*+=:/?-]*(?=')/y } as const

function valueSpan(match: RegExpExecArray, text: string): Span {
  const end = match.index + match[0].length
  const quote = match[4] ?? ""
  const value = match.length > 3 ? (match[6] ?? "") : (match[1] ?? "")
  const rest = quote === '"' || quote === "'" ? (from(restOfQuotation[quote], text, end) ?? "") : ""
  return { start: end - value.length, end: end + (rest || (from(restOfWord, text, end) ?? "")).length }
}

function from(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function isSaid(text: string): boolean {
  for (const [, end = ""] of text.matchAll(said)) if (isSaidValue(end)) return true
  return false
}

function isSaidValue(end: string): boolean {
  const value = withoutStop(end)
  const isMixed = /\d/.test(value) && /[a-z]/i.test(value) && value.length >= 6
  return isMixed && !notSaid.test(value) && !elsewhere.test(end)
}

/** A value at the end of a sentence; it has a longest. */
function withoutStop(end: string): string {
  return end.replace(/[.!?]+$/, "")
}

function holdsPair(text: string, shape: RegExp): boolean {
  const known = new Map<string, boolean>()
  for (const match of text.matchAll(shape)) {
    const key = match[1] ?? ""
    const isSecret = known.get(key) ?? isSecretKey(key)
    known.set(key, isSecret)
    if (isSecret && isValue(match, text)) return true
  }
  return false
}

function isValue(match: RegExpExecArray, text: string): boolean {
  const [whole, key = "", sign, gap, quote, scheme, end = ""] = match
  const value = withoutStop(end)
  const next = text.charAt(match.index + whole.length)
  if (noValue.test(value) || elsewhere.test(end)) return false
  // A call or an element in code: `token = read(…`.
  if (quote === "" && /[([{]/.test(next)) return false
  if (scheme !== undefined) return true
  if (!strongName.test(key) && !/\d/.test(value)) return false
  // Counts, versions and times are no secrets; a PIN is.
  if (/^[\d.:/%-]+$/.test(value)) return /^\d+$/.test(value) && !/tokens?$|^pass$/i.test(key)
  return !/^[a-z_-]+$/i.test(value) || isWordValue({ key, value, sign, gap, quote, next }, text[match.index - 1])
}

type Word = Readonly<Record<"key" | "value" | "next", string>> &
  Readonly<Record<"sign" | "gap" | "quote", string | undefined>>

/** A plain word is a value where it is all there is: in quotes, behind `=` without a space, or up to the end of its line. */
function isWordValue({ key, value, sign, gap, quote, next }: Word, before: string | undefined): boolean {
  // `password: userPassword`, `"password": "Password"`: the name of one.
  if (value.toLowerCase() === key.toLowerCase()) return false
  if (/[a-z][A-Z]|_/.test(value) && isSecretKey(value)) return false
  if (quote !== "") return next === quote || next === "\\"
  if (sign === "=" && gap === "") return /^[\s&;"'`]?$/.test(next)
  if (sign === "") return true
  const isLast = /^[\r\n]?$/.test(next)
  return isLast && (sign === ":" || before === undefined || before === "\n")
}
