/** Where environment variables are looked up; handed in, never read from the process. */
export type Environment = ReadonlyMap<string, string> | ((name: string) => string | undefined)

export type Expansion = {
  readonly text: string
  /** What stands in the text because of a reference. */
  readonly filled: ReadonlyArray<{ readonly name: string; readonly value: string }>
  /** Names that are not set. */
  readonly missing: readonly string[]
  /** References nothing can be looked up by, as they were written. */
  readonly unreadable: readonly string[]
}

/**
 * Replaces `${NAME}`, `${env:NAME}` and `${NAME:-instead}`. `$${` stands for a plain `${`.
 * What was put in is never looked at again.
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
    const value = lookUp(env, reference.name) ?? reference.instead
    if (value === undefined) missing.push(reference.name)
    else filled.push({ name: reference.name, value })
    return value ?? whole
  })
  return { text, filled, missing, unreadable }
}

/** Whether any of a text is to come from the environment, set or not. */
export function hasReference(written: string): boolean {
  const { filled, missing, unreadable } = expandEnvironment(written, () => undefined)
  return filled.length + missing.length + unreadable.length > 0
}

function parseReference(body: string): { name: string; instead: string | undefined } | undefined {
  const match = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(body)
  return match?.[1] === undefined ? undefined : { name: match[1], instead: match[2] }
}

function lookUp(env: Environment, name: string): string | undefined {
  return typeof env === "function" ? env(name) : env.get(name)
}
