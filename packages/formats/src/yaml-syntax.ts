import type { ErrorCode, YAMLParseError } from "yaml"

/** What to write instead, for the mistakes people make; the parser's own words for the rest. */
export function syntaxMessage(error: YAMLParseError): string {
  return advice.get(error.code) ?? `This is not valid YAML or JSON: ${lowerFirst(error.message)}.`
}

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
