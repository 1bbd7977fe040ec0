/** Where environment variables are looked up; handed in, never read from the process. */
export type Environment = ReadonlyMap<string, string> | ((name: string) => string | undefined)

export type Expansion = {
  readonly text: string
  /** The values that the environment has put into the text; the words after `:-` are in the file, and are not among them. */
  readonly filled: ReadonlyArray<{ readonly name: string; readonly value: string }>
  readonly missing: readonly string[]
  /** References nothing can be looked up by, as they were written. */
  readonly unreadable: readonly string[]
}

/**
 * Replaces `${NAME}`, `${env:NAME}` and `${NAME:-instead}`. `$${` stands for a plain `${`.
 * Inserted values are not expanded again.
 */
export function expandEnvironment(written: string, env: Environment): Expansion {
  const filled: { name: string; value: string }[] = []
  const missing: string[] = []
  const unreadable: string[] = []
  const text = written.replaceAll(/\$\$\{|\$\{([^}]*)(\}?)/g, (whole, body: string | undefined, end: string) => {
    if (body === undefined) return "${"
    const reference = end === "}" ? parseReference(body) : undefined
    if (reference === undefined) {
      unreadable.push(whole)
      return whole
    }
    const { name, instead } = reference
    const value = lookUp(env, name)
    if (value !== undefined) filled.push({ name, value })
    else if (instead === undefined) missing.push(name)
    return value ?? instead ?? whole
  })
  return { text, filled, missing, unreadable }
}

/** Writes a text so that `expandEnvironment` gives it back as it is. */
export function withoutReferences(text: string): string {
  return text.replaceAll("${", () => "$${")
}

/** Whether any of a text is to come from the environment, set or not. */
export function hasReference(written: string): boolean {
  const { filled, unreadable } = expandEnvironment(written, () => "")
  return filled.length + unreadable.length > 0
}

function parseReference(body: string): { name: string; instead: string | undefined } | undefined {
  const match = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(body)
  return match?.[1] === undefined ? undefined : { name: match[1], instead: match[2] }
}

export function lookUp(env: Environment, name: string): string | undefined {
  return typeof env === "function" ? env(name) : env.get(name)
}
