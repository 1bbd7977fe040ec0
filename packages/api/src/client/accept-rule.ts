import type { Client } from "./create-client.ts"

/** A rule that was added to the configuration, and how to take it back. */
export type AcceptedRule = {
  /** The held call by which it waits for another reviewer's yes; null: it is in force. */
  readonly waiting: string | null
  /** The configuration before, and the version after: saving one over the other undoes it while nobody else has changed the file. */
  readonly undo: { readonly text: string; readonly version: string }
}

export type AcceptResult =
  | { readonly ok: true; readonly value: AcceptedRule }
  | { readonly ok: false; readonly problem: { readonly detail: string; readonly code?: string } }

/** Adds a suggested rule as the last one, removes those that it replaces, and saves. What allows more needs presence, as every such change does. */
export async function acceptRule(
  client: Client,
  rule: string,
  replaces: readonly string[] = [],
): Promise<AcceptResult> {
  const current = await client.getPolicyText()
  if (!current.ok) return current
  const { text, version, why } = current.value
  if (text === null)
    return { ok: false, problem: { detail: why ?? "There is no configuration file to add the rule to." } }
  const added = await client.addRule({
    body: { text, rule, ...(replaces.length === 0 ? {} : { replaces: [...replaces] }) },
  })
  if (!added.ok) return added
  const saved = await client.savePolicy({ body: { text: added.value.text, version } })
  if (!saved.ok) return saved
  return { ok: true, value: { waiting: saved.value.waiting, undo: { text, version: saved.value.version } } }
}
