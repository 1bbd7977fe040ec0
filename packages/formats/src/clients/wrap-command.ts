/** The words of `byleave wrap` in a client's file. */
export type WrapCommand = {
  /** The program that is called Byleave there. */
  readonly program: string
  readonly name: string | null
  readonly data: string | null
  readonly url: string | null
  readonly command: string
  readonly args: readonly string[]
}

/**
 * The server behind `byleave wrap`, if the words are nothing but that: a program called Byleave, `wrap`, its own options, and a command. Behind any
 * other program, such as a shell or a runner, the same words are only arguments, which that program may ignore.
 */
export function wrapIn(words: readonly string[]): WrapCommand | null {
  const [program = "", verb, ...rest] = words
  if (!isByleave(program) || verb !== "wrap") return null
  const options = new Map<string, string>()
  while (rest[0]?.startsWith("-") && rest[0] !== "--") {
    const [option = "", written] = (rest.shift() ?? "").split(/=(.*)/s)
    const value = written ?? rest.shift()
    if (!wrapOptions.includes(option) || value === undefined) return null
    options.set(option, value)
  }
  if (rest[0] === "--") rest.shift()
  const [command, ...args] = rest
  if (command === undefined) return null
  const [name = null, data = null, url = null] = wrapOptions.map((option) => options.get(option))
  return { program, name, data, url, command, args }
}

const wrapOptions: readonly string[] = ["--name", "--data", "--url"]

function isByleave(word: string): boolean {
  return /(^|[/\\])byleave(\.(cmd|exe|js))?$/i.test(word)
}
