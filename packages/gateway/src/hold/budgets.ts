/** How long known clients wait for a tool, as measured; used for timing only, since a client says its own name. */
import type { ClientInfo } from "../wire/caller.ts"

/** When a client gives up, or how long it was seen to wait without doing so. */
type Patience = { readonly gaveUpMs: number } | { readonly waitedMs: number }

type KnownClient = { readonly name: RegExp; readonly silent: Patience; readonly progress: Patience }

const patient: Patience = { waitedMs: 420_000 }
const givesUp = (ms: number): Patience => ({ gaveUpMs: ms })

const known: readonly KnownClient[] = [
  { name: /^codex/i, silent: givesUp(300_000), progress: givesUp(300_000) },
  { name: /^claude-code/i, silent: patient, progress: patient },
  { name: /copilot/i, silent: givesUp(180_000), progress: patient },
  { name: /^gemini/i, silent: patient, progress: patient },
  { name: /^opencode/i, silent: givesUp(60_000), progress: patient },
  { name: /^qwen/i, silent: patient, progress: patient },
  { name: /^goose/i, silent: givesUp(300_000), progress: givesUp(300_000) },
]

const marginMs = 10_000
const longestMs = 400_000
const nearMs = 5_000

/** How long this client is held before it gets a ticket. */
export function budgetOf(client: ClientInfo | null, hasToken: boolean, unknownMs: number): number {
  const patience = patienceOf(client, hasToken)
  if (patience === null) return unknownMs
  return Math.min(("gaveUpMs" in patience ? patience.gaveUpMs : patience.waitedMs) - marginMs, longestMs)
}

/** Whether a cancellation after this long is a known client's clock running out, and nobody's wish. */
export function isTimeLimit(client: ClientInfo | null, hasToken: boolean, elapsedMs: number): boolean {
  const patience = patienceOf(client, hasToken)
  return patience !== null && "gaveUpMs" in patience && Math.abs(elapsedMs - patience.gaveUpMs) <= nearMs
}

function patienceOf(client: ClientInfo | null, hasToken: boolean): Patience | null {
  const found = client === null ? undefined : known.find(({ name }) => name.test(client.name))
  if (found === undefined) return null
  return hasToken ? found.progress : found.silent
}
