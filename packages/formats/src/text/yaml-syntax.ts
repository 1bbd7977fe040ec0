import { type Document, type ErrorCode, isCollection, isScalar, visit, type YAMLParseError } from "yaml"

export type SyntaxFinding = { readonly offset: number; readonly message: string }

/** Where the mistake is and what to write instead, for those people make; the parser's own words and place for the rest. */
export function syntaxFinding(error: YAMLParseError, document: Document.Parsed, text: string): SyntaxFinding {
  return (
    misplaced(error, document, text) ??
    unclosed(error, document, text) ?? {
      offset: error.pos[0],
      message: advice.get(error.code) ?? `This is not valid YAML or JSON: ${lowerFirst(error.message)}.`,
    }
  )
}

const notInLine = "is not in line with the one before it. Indent all entries of a list, and all keys of a map, alike."

/** The parser takes a line that is indented wrongly for the rest of what stands above it. */
function misplaced(error: YAMLParseError, document: Document.Parsed, text: string): SyntaxFinding | undefined {
  const [start] = error.pos
  const isKey = error.code === "MULTILINE_IMPLICIT_KEY" || error.code === "BLOCK_AS_IMPLICIT_KEY"
  if (!isKey && error.code !== "BAD_INDENT") return undefined
  const dash = startOf(text, start, /^ *(?=-(?:\s|$))/)
  if (dash !== undefined) return { offset: dash, message: `This \`-\` ${notInLine}` }
  if (error.message.startsWith("All mapping items")) {
    return { offset: startOf(text, start, /^ */) ?? start, message: `This key ${notInLine}` }
  }
  const lines = document.errors.find(({ code, pos }) => code === "MULTILINE_IMPLICIT_KEY" && pos[0] === start)
  const below = startOf(text.slice(0, lines?.pos[1] ?? start), start, /^[^\n]*\n\s*/)
  return below === undefined ? undefined : { offset: below, message: `This line ${notInLine}` }
}

function startOf(text: string, from: number, before: RegExp): number | undefined {
  // A line is all that is looked at; the text may be megabytes.
  const found = before.exec(text.slice(from, from + 1000))
  return found === null ? undefined : from + found[0].length
}

/** An unclosed bracket or quote reaches to where the parser gave up; people look for where it begins. */
function unclosed(error: YAMLParseError, document: Document.Parsed, text: string): SyntaxFinding | undefined {
  const [end] = error.pos
  if (!/^(?:Flow |Missing closing )/.test(error.message) || /[\]}]/.test(text.charAt(end))) return undefined
  let offset: number | undefined
  visit(document, {
    Node: (_, node) => {
      const opens = isCollection(node) ? node.flow : isScalar(node) && node.type?.startsWith("QUOTE")
      if (opens && node.range?.[1] === end) offset = node.range[0]
    },
  })
  if (offset === undefined) return undefined
  const opener = text.charAt(offset)
  const closer = closers.get(opener) ?? opener
  return { offset, message: `This \`${opener}\` is never closed. Write \`${closer}\` where it ends.` }
}

const closers = new Map([
  ["{", "}"],
  ["[", "]"],
])

const advice = new Map<ErrorCode, string>([
  ["TAB_AS_INDENT", "This line is indented with a tab. Indent with spaces, two per level."],
  [
    "BAD_SCALAR_START",
    'Text may not start with this character. Put it in quotes, for example "@scope/files(read_file)" or "%x".',
  ],
  ["BAD_ALIAS", 'A text that starts with `*` or `&` must be in quotes, for example "*(delete_*)".'],
  [
    "BLOCK_AS_IMPLICIT_KEY",
    "There are two `key: value` on one line here. Put the second on a line of its own, or the whole text in quotes.",
  ],
  ["MULTIPLE_DOCS", "There is a second document here. Keep one per file: remove the `---` line and what follows it."],
  ["MULTILINE_IMPLICIT_KEY", "A key must be on one line and be followed by `:` and a space."],
  ["MISSING_CHAR", "Something is not closed here: a quote, a bracket, or a `:` or `,` is missing."],
])

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
