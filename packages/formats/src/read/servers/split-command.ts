/** The words of a command line, with quotes as a POSIX shell reads them and nothing else; undefined when a quote stays open. */
export function splitCommand(line: string): readonly string[] | undefined {
  const words: string[] = []
  let rest = line.trim()
  while (rest !== "") {
    const word = /^(?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+/.exec(rest)?.[0]
    if (word === undefined) return undefined
    words.push(unquote(word))
    rest = rest.slice(word.length)
    if (rest !== "" && !/^\s/.test(rest)) return undefined
    rest = rest.trimStart()
  }
  return words
}

function unquote(word: string): string {
  return word.replaceAll(/\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'/g, (_, escaped, double, single) => {
    if (escaped !== undefined) return escaped
    return double === undefined ? single : double.replaceAll(/\\(["\\$`])/g, "$1")
  })
}
