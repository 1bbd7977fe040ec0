/**
 * The outcomes of calls in the panel's store, and the worker's notes of these calls.
 *
 * I1. A call that ran when its document died is never sent again: the worker is asked what became of it.
 * I2. A note goes once the outcome is written, or once nobody can ask for it any more.
 * I3. A call whose outcome is unknown stays noted while the browser runs: nobody sends it late.
 */
import type { Gate, RunContext, RunOutcome, Store } from "@byleave/core"
import type { WorkerNotes } from "../worker/call-notes.ts"

type TakeBackPorts = {
  readonly gate: Pick<Gate, "takeOver">
  readonly store: Pick<Store, "approvals">
  /** Asks the worker, which waits for a call that it still carries out. */
  readonly outcome: (server: string, key: string) => Promise<RunOutcome>
  readonly onTrouble: (trouble: unknown) => void
}

/** The document that ran these is gone; the worker may know what became of them, now or when they have ended. */
export async function takeBackRunning({ gate, store, outcome, onTrouble }: TakeBackPorts): Promise<void> {
  const lost = { kind: "unknown", detail: "The panel was closed while this call ran." } as const
  for (const { id, tool, session } of await store.approvals({ statuses: ["running"], limit: 1_000 })) {
    gate.takeOver(id, session, () => outcome(tool.server, id).catch(() => lost)).catch(onTrouble)
  }
}

/** Carries a call out under a key: the approval's, or for a call that runs unasked one that only this document knows. */
export async function callNoted(
  { approval }: Pick<RunContext, "approval">,
  notes: Pick<WorkerNotes, "forget">,
  send: (key: string) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  const key = approval ?? `unasked ${crypto.randomUUID()}`
  const outcome = await send(key)
  if (approval === null && outcome.kind !== "unknown") await notes.forget([key]).catch(() => undefined)
  return outcome
}

const written: ReadonlySet<string> = new Set(["approval.succeeded", "approval.failed"])

/** Forgets the note of each call whose outcome is written from now on. Returns how to stop. */
export function forgetWritten(
  gate: Pick<Gate, "events">,
  notes: Pick<WorkerNotes, "forget">,
  onTrouble: (trouble: unknown) => void,
): () => void {
  return gate.events(({ type, subject }) => {
    if (written.has(type)) notes.forget([subject]).catch(onTrouble)
  })
}

/** Forgets the notes that documents of before left: of calls whose outcome is written, and of those that ran unasked. */
export async function forgetOldNotes(
  store: Pick<Store, "approval">,
  notes: Pick<WorkerNotes, "keys" | "forget">,
): Promise<void> {
  const over: string[] = []
  for (const key of await notes.keys()) {
    const approval = await store.approval(key)
    if (approval === undefined || approval.status === "succeeded" || approval.status === "failed") over.push(key)
  }
  if (over.length > 0) await notes.forget(over)
}
