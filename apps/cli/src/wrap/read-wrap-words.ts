/** The words of a `byleave wrap` command. */
export type WrapWords = {
  readonly name?: string
  readonly data?: string
  readonly url?: string
  readonly command: string
  readonly args: readonly string[]
}

const taken: ReadonlySet<string> = new Set(["name", "data", "url"])

/**
 * The words of a client's configuration, read without the machinery of help and errors: a client waits for `wrap` to start. Null when
 * they are anything but plain; then the whole command line reads them, and says what is wrong.
 */
export function readWrapWords([first, ...words]: readonly string[]): WrapWords | null {
  if (first !== "wrap") return null
  const flags = new Map<string, string>()
  while (words[0]?.startsWith("-") && words[0] !== "--") {
    const [, name = "", written] = /^--([a-z]+)(?:=(.*))?$/s.exec(words.shift() ?? "") ?? []
    const value = written ?? words.shift()
    if (!taken.has(name) || value === undefined) return null
    flags.set(name, value)
  }
  if (words[0] === "--") words.shift()
  const [command, ...args] = words
  if (command === undefined || command === "") return null
  return { ...Object.fromEntries(flags), command, args }
}
