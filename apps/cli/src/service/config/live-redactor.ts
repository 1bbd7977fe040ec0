import { createRedactor, type Redactor } from "@byleave/core"

export type LiveRedactor = Redactor & {
  readonly learn: (secrets: readonly string[]) => void
  /** A text without these, too: those of a file that nobody has accepted, which may blind nobody to what is recorded. */
  readonly besides: (secrets: readonly string[]) => (text: string) => string
}

/**
 * Takes out every secret that any configuration in force has had since the start: a changed token may still be on its way somewhere.
 *
 * I1. What a file says that is not in force takes nothing out of what is recorded.
 */
export function createLiveRedactor(): LiveRedactor {
  const known = new Set<string>()
  let current = createRedactor()
  return {
    redact: (value) => current.redact(value),
    redactText: (text) => current.redactText(text),
    besides: (secrets) => {
      const { redactText } = createRedactor({ values: secrets })
      return (text) => current.redactText(redactText(text))
    },
    learn: (secrets) => {
      if (secrets.every((secret) => known.has(secret))) return
      for (const secret of secrets) known.add(secret)
      current = createRedactor({ values: [...known] })
    },
  }
}
