/** The lines that several clients' configurations share. Values that people give are quoted as the file's own language has it. */
export type SetupFill = {
  /** The name of the entry: the server's own, or `byleave` for all of them. */
  readonly name: string
  readonly url: string
  /** The command of a wrapped server, in words. */
  readonly command: readonly string[]
}

export const quoted = (text: string): string => JSON.stringify(text)
export const list = (words: readonly string[]): string => `[${words.map(quoted).join(", ")}]`
export const wrapped = ({ name, command }: SetupFill): readonly string[] => ["wrap", "--name", name, "--", ...command]

/** Bare where YAML cannot take it for anything but text. */
export const yaml = (text: string): string =>
  /^(?:--?[a-z]*|[a-z/][\w./-]*)$/i.test(text) && !/^(?:true|false|yes|no|on|off|null|[yn-])$/i.test(text)
    ? text
    : quoted(text)

/** An entry of `mcpServers`, with these lines in it. */
export const mcpServers =
  (lines: (fill: SetupFill) => readonly string[], top = "mcpServers") =>
  (fill: SetupFill): string =>
    `{
  "${top}": {
    ${quoted(fill.name)}: {
${lines(fill)
  .map((line) => `      ${line}`)
  .join(",\n")}
    }
  }
}`

export const commandLine = `"command": "byleave"`
export const argsLine = (fill: SetupFill): string => `"args": ${list(wrapped(fill))}`
export const header = (token: string): string => `"headers": { "Authorization": "Bearer ${token}" }`
export const fromEnvironment = header(`\${BYLEAVE_TOKEN}`)

export const typed = ({ url }: SetupFill): readonly string[] => [`"type": "http"`, `"url": ${quoted(url)}`]

/** As a shell reads it as one word. */
export function shellWord(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
