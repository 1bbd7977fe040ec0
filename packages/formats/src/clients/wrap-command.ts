/** The words of `byleave wrap` in a client's file. */
export type WrapCommand = {
  /** The program that is called Byleave there. */
  readonly program: string
  readonly name: string | null
  readonly command: string
  readonly args: readonly string[]
}

/** The server behind `byleave wrap`, if that is what these words start, also by a runner or by a whole path. */
export function wrapIn(words: readonly string[]): WrapCommand | null {
  const at = words.slice(0, 5).findIndex((word, index) => isByleave(word) && words[index + 1] === "wrap")
  if (at < 0) return null
  const rest = words.slice(at + 2)
  let name: string | null = null
  while (rest[0]?.startsWith("-") && rest[0] !== "--") {
    const [flag = "", written] = (rest.shift() ?? "").split(/=(.*)/s)
    const value = written ?? rest.shift()
    if (flag === "--name") name = value ?? null
  }
  if (rest[0] === "--") rest.shift()
  const [command = "", ...args] = rest
  return { program: words[at] ?? "", name, command, args }
}

function isByleave(word: string): boolean {
  return /(^|[/\\])byleave(\.(cmd|exe|js))?$/i.test(word)
}
