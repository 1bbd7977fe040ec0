import { createRedactor, type Redactor } from "@byleave/core"

export type LiveRedactor = Redactor & { readonly learn: (secrets: readonly string[]) => void }

/** Takes out every secret any configuration has had since the start: a changed token may still be on its way somewhere. */
export function createLiveRedactor(): LiveRedactor {
  const known = new Set<string>()
  let current = createRedactor()
  return {
    redact: (value) => current.redact(value),
    redactText: (text) => current.redactText(text),
    learn: (secrets) => {
      if (secrets.every((secret) => known.has(secret))) return
      for (const secret of secrets) known.add(secret)
      current = createRedactor({ values: [...known] })
    },
  }
}
