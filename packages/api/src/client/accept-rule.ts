import type { Client } from "./create-client.ts"

/** Rules as entries of the file. */
type OfferedRule = { readonly rule: string; readonly replaces: readonly string[] }

/** A rule that was added to the configuration, and how to take it back. */
export type AcceptedRule = OfferedRule & {
  /** The held call by which it waits for another reviewer's yes; null: it is in force. */
  readonly waiting: string | null
  /** Names the file after it: it is taken back while nobody else has changed the file. */
  readonly version: string
}

export type AcceptResult =
  | { readonly ok: true; readonly value: AcceptedRule }
  | { readonly ok: false; readonly problem: { readonly detail: string; readonly code?: string } }

/**
 * Adds a rule as it is displayed as the last one, and removes those that it replaces. The service makes the edit: the request holds these rules, and nothing
 * of the file that nobody looked at. What allows more needs presence, as every such change does.
 */
export async function acceptRule(client: Client, { rule, replaces }: OfferedRule): Promise<AcceptResult> {
  const changed = await client.changeRules({ body: { add: [rule], remove: [...replaces] } })
  if (!changed.ok) return changed
  const { removed, version, waiting } = changed.value
  return { ok: true, value: { rule, replaces: replaces.filter((one) => removed.includes(one)), version, waiting } }
}

/** Removes an accepted rule, and adds those that it replaced. */
export function takeBackRule(client: Client, { rule, replaces, version }: AcceptedRule) {
  return client.changeRules({ body: { add: [...replaces], remove: [rule], version } })
}
