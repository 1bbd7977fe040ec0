import {
  helpFor,
  keysFor,
  type SchemaHelp,
  type SchemaKey,
  type SchemaPart,
  type SchemaValue,
  schemaAt,
  valuesFor,
} from "./schema-help.ts"
import { columnOf, type YamlWord, yamlWords } from "./yaml-words.ts"

/** Suggestions for a place of the text: the chosen one replaces `from` to `to`. */
export type Suggestions = {
  readonly from: number
  readonly to: number
  /** The part of it before the caret. */
  readonly typed: string
  readonly keys: readonly SchemaKey[]
  readonly values: readonly SchemaValue[]
  /** The schema's description of the value, for those of `values`. */
  readonly description: string
  /** True where the key's colon is there already. */
  readonly hasColon: boolean
  readonly isFlow: boolean
  readonly column: number
}

/** A character that no configuration has: it stands at the caret while the text is read, so that a blank place is a word as well. */
const caret = "\u{F0000}"

/** Returns the keys and values that the schema has for the place of the caret; null in comments, quotes and block texts. */
export function suggestionsAt(schema: SchemaPart, text: string, offset: number): Suggestions | null {
  const marked = text.slice(0, offset) + caret + text.slice(offset)
  const words = yamlWords(marked)
  const word = words.find((each) => each.text.includes(caret))
  if (word === undefined || word.isQuoted) return null
  const parts = schemaAt(schema, word.path)
  const others = words.filter((each) => each.role === "key" && each.map === word.map && each !== word)
  return {
    from: word.from,
    to: word.to - caret.length,
    typed: text.slice(word.from, offset),
    keys:
      word.role === "value"
        ? []
        : keysFor(
            parts,
            others.map((each) => each.text),
          ),
    values: word.role === "key" ? [] : valuesFor(parts),
    description: helpFor(parts)?.description ?? "",
    hasColon: word.role === "key",
    isFlow: word.isFlow,
    column: columnOf(marked, word),
  }
}

export type HelpAt = SchemaHelp & { readonly from: number; readonly to: number; readonly name: string }

/** Returns what the schema says of the key or value at a place; of a value, what its key is for. */
export function helpAt(schema: SchemaPart, text: string, offset: number): HelpAt | null {
  const word = yamlWords(text).find(({ from, to }) => from <= offset && offset < to)
  if (word === undefined) return null
  const help = helpFor(schemaAt(schema, word.role === "key" ? [...word.path, word.text] : word.path))
  return help === null ? null : { ...help, from: word.from, to: word.to, name: nameOf(word) }
}

function nameOf({ role, text, path }: YamlWord): string {
  return role === "key" ? text : (path.findLast((step) => step !== null) ?? "")
}
