/**
 * A paused run as its caller carries it from one request to the next (`data.session`).
 *
 * I1. It leads to the run it was made of, by the same starter, and only as long as nothing has happened to that run: it is good for one continuation.
 * I2. It cannot be imported: the run is still where it was, and would go on twice.
 */
import type { AgentRun, PausedRun, RunGate, StateRefusal } from "@byleave/core"
import { stateOf } from "./export-run.ts"
import { isSealedState, openState, sealState } from "./seal-state.ts"
import { stateRefusal } from "./state-refusal.ts"

type SessionPorts = {
  readonly gate: Pick<RunGate, "journal">
  /** 32 bytes. */
  readonly key: Uint8Array
  readonly newId: () => string
}

/** The most that travels with every request, sealed; of a larger run only its id does. */
const mostSealed = 1024 * 1024
/** Runs pack to a fifth or less. Packing a run larger than this is not even tried. */
const mostUnpacked = 8 * mostSealed

/** The run, packed and sealed; null where that would be more than a megabyte. */
export async function sessionState({ gate, key, newId }: SessionPorts, run: PausedRun): Promise<string | null> {
  if (run.bytes > mostUnpacked) return null
  const { id, principal, version } = run
  const head = { state: newId(), principal, run: id, version, isSession: true } as const
  const sealed = sealState(head, JSON.stringify(await stateOf(gate, run)), key, "zstd")
  return sealed.length > mostSealed ? null : sealed
}

/** The run that a session leads to, not yet proved; null where it is none. */
export function sessionRun(session: string, key: Uint8Array): string | null {
  if (!isSealedState(session)) return session
  const opened = openSession(session, key)
  return opened.ok ? opened.head.run : null
}

/** Why this run cannot go on with that session; null where it can. */
export function checkSession(session: string, run: AgentRun, key: Uint8Array): StateRefusal | null {
  if (!isSealedState(session)) return session === run.id ? null : stateRefusal("state-malformed")
  const opened = openSession(session, key)
  if (!opened.ok) return opened.refusal
  const { head } = opened
  if (head.run !== run.id || head.principal !== run.principal) return stateRefusal("state-foreign")
  return head.version === run.version ? null : stateRefusal("state-used", "The run has gone on since then.")
}

function openSession(session: string, key: Uint8Array): ReturnType<typeof openState> {
  return openState(session, key, { text: mostSealed, unpacked: mostUnpacked * 2 })
}
