/** A command line in words, as a shell would part it: blanks part, quotes keep together. */
export function commandWords(line: string): readonly string[] {
  const words: string[] = []
  for (const [written] of line.matchAll(/(?:"(?:\\.|[^"\\])*"?|'[^']*'?|\\.|[^\s"'\\])+/gs)) {
    words.push(
      written.replaceAll(
        /"((?:\\.|[^"\\])*)"?|'([^']*)'?|\\(.)/gs,
        (_, double?: string, single?: string, bare?: string) =>
          double === undefined ? (single ?? bare ?? "") : double.replaceAll(/\\(["\\$`])/g, "$1"),
      ),
    )
  }
  return words
}
