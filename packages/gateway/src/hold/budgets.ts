/** How long known clients wait for a tool, as measured; used for timing only, since a client says its own name. */
import type { ClientInfo } from "../wire/caller.ts"

type Patience = {
  readonly name: RegExp
  /** After this a client that hears nothing gives up; with progress, after `withProgress`. */
  readonly silentMs: number
  readonly progressMs: number
}

const patient = 420_000

const known: readonly Patience[] = [
  { name: /^codex/i, silentMs: 300_000, progressMs: 300_000 },
  { name: /^claude-code/i, silentMs: patient, progressMs: patient },
  { name: /copilot/i, silentMs: 180_000, progressMs: patient },
  { name: /^gemini/i, silentMs: patient, progressMs: patient },
  { name: /^opencode/i, silentMs: 60_000, progressMs: patient },
  { name: /^qwen/i, silentMs: patient, progressMs: patient },
  { name: /^goose/i, silentMs: 300_000, progressMs: 300_000 },
]

const marginMs = 10_000
const longestMs = 400_000
const nearMs = 5_000

/** How long this client is held before it gets a ticket. */
export function budgetOf(client: ClientInfo | null, hasToken: boolean, unknownMs: number): number {
  const limit = limitOf(client, hasToken)
  return limit === null ? unknownMs : Math.min(limit - marginMs, longestMs)
}

/** Whether a cancellation after this long is a known client's clock running out, and nobody's wish. */
export function isTimeLimit(client: ClientInfo | null, hasToken: boolean, elapsedMs: number): boolean {
  const limit = limitOf(client, hasToken)
  return limit !== null && Math.abs(elapsedMs - limit) <= nearMs
}

function limitOf(client: ClientInfo | null, hasToken: boolean): number | null {
  if (client === null) return null
  const found = known.find(({ name }) => name.test(client.name))
  if (found === undefined) return null
  return hasToken ? found.progressMs : found.silentMs
}
