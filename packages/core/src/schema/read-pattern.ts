/** A regular expression in JSON Schema's form (ECMA-262 with the flag `u`), read as a tree. Patterns that cannot be matched in linear time are refused. */
import { type CharacterTest, character, readCharacters, withoutProperties } from "./read-characters.ts"
import { unusable } from "./work.ts"

export type Pattern =
  | { readonly kind: "character"; readonly test: CharacterTest }
  | { readonly kind: "sequence"; readonly parts: readonly Pattern[] }
  | { readonly kind: "choice"; readonly parts: readonly Pattern[] }
  | { readonly kind: "repeat"; readonly part: Pattern; readonly least: number; readonly most: number }
  | { readonly kind: "start" }
  | { readonly kind: "end" }
  | { readonly kind: "boundary"; readonly negative: boolean }
  | { readonly kind: "ahead"; readonly part: Pattern; readonly negative: boolean }

const mostCharacters = 4_000
const mostGroups = 100

type Reader = { readonly source: string; at: number; depth: number }

export function readPattern(source: string): Pattern {
  if (source.length > mostCharacters) throw unusable(`A pattern in it has more than ${mostCharacters} characters.`)
  try {
    new RegExp(withoutProperties(source), "u")
  } catch {
    throw unusable(`The pattern ${JSON.stringify(source)} in it is no regular expression.`)
  }
  return readChoice({ source, at: 0, depth: 0 })
}

// The functions below read text that is known to be a valid regular expression, so they need not check for errors.

function readChoice(reader: Reader): Pattern {
  const parts = [readSequence(reader)]
  while (reader.source[reader.at] === "|") {
    reader.at += 1
    parts.push(readSequence(reader))
  }
  return parts.length === 1 ? (parts[0] as Pattern) : { kind: "choice", parts }
}

function readSequence(reader: Reader): Pattern {
  const parts: Pattern[] = []
  for (;;) {
    const next = reader.source[reader.at]
    if (next === undefined || next === "|" || next === ")") return { kind: "sequence", parts }
    parts.push(readQuantified(reader))
  }
}

const quantifier = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/uy

function readQuantified(reader: Reader): Pattern {
  const part = readAtom(reader)
  const found = take(quantifier, reader)
  if (found === null) return part
  const [, sign, least, comma, most] = found
  if (sign !== undefined)
    return { kind: "repeat", part, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Number.POSITIVE_INFINITY }
  const upTo = comma === "" ? Number(least) : most === "" ? Number.POSITIVE_INFINITY : Number(most)
  return { kind: "repeat", part, least: Number(least), most: upTo }
}

function readAtom(reader: Reader): Pattern {
  const { source, at } = reader
  switch (source[at]) {
    case "^":
      reader.at += 1
      return { kind: "start" }
    case "$":
      reader.at += 1
      return { kind: "end" }
    case "(":
      return readGroup(reader)
    default:
      return readCharacter(reader)
  }
}

const groupHead = /\((?:\?(?:([:=!])|<[^=!>][^>]*>))?/uy

function readGroup(reader: Reader): Pattern {
  const head = take(groupHead, reader)
  const isPlain = head?.[0] === "(" && reader.source[reader.at] !== "?"
  if (head === null || (head[0] === "(" && !isPlain))
    throw unusable("A pattern in it looks back, or changes its flags.")
  reader.depth += 1
  if (reader.depth > mostGroups) throw unusable("A pattern in it has too many groups within each other.")
  const part = readChoice(reader)
  reader.depth -= 1
  // The closing bracket.
  reader.at += 1
  return head[1] === "=" || head[1] === "!" ? { kind: "ahead", part, negative: head[1] === "!" } : part
}

function readCharacter(reader: Reader): Pattern {
  const text = take(character, reader)?.[0] ?? ""
  if (text === "\\b" || text === "\\B") return { kind: "boundary", negative: text === "\\B" }
  if (/^\\[1-9k]/u.test(text)) throw unusable("A pattern in it refers back to what it matched.")
  return { kind: "character", test: readCharacters(text) }
}

function take(form: RegExp, reader: Reader): RegExpExecArray | null {
  form.lastIndex = reader.at
  const found = form.exec(reader.source)
  if (found !== null) reader.at = form.lastIndex
  return found
}
