import type { AgentRun, Change, CommitResult, EpochMs, HeldCount, JournalLine, RunStarter } from "@byleave/core"
import { keyText } from "./key-text.ts"

export type RunWrite = NonNullable<Change["runs"]>[number]
type RunConflict = CommitResult & { readonly conflict: "run" | "journal" }

/** The fields that a conflict is detected by. */
export type StoredRun = { readonly version: number; readonly owner: string | null }

export function runIdOf(write: RunWrite): string {
  return "next" in write ? write.next.id : write.remove
}

/** The process that carries it out; null where none does. */
export function ownerOf(run: AgentRun): string | null {
  return run.status === "running" ? run.owner : null
}

export function leaseUntilOf(run: AgentRun): EpochMs | null {
  return run.status === "running" ? run.leaseUntil : null
}

/** When it ended; null while it may still go on by itself. */
export function endedAtOf(run: AgentRun): EpochMs | null {
  return "endedAt" in run ? run.endedAt : null
}

/** The calls that the run paused for; none while it is running or is over. */
export function heldOf(run: AgentRun): HeldCount {
  if (run.status !== "paused") return { calls: 0, bytes: 0 }
  return { calls: run.requirements.filter(({ approval }) => approval !== null).length, bytes: run.heldBytes ?? 0 }
}

/** A run's columns in both databases, from `version` to `held_bytes`, in their order. */
export function runColumns(run: AgentRun): ReadonlyArray<string | number | null> {
  const { version, status, principal, startedBy, createdAt, updatedAt } = run
  const owner = ownerOf(run)
  const held = heldOf(run)
  return [
    version,
    status,
    principal,
    startedBy.kind,
    keyText(startedBy.id),
    owner === null ? null : keyText(owner),
    leaseUntilOf(run),
    createdAt,
    updatedAt,
    endedAtOf(run),
    JSON.stringify(run),
    run.bytes,
    held.calls,
    held.bytes,
  ]
}

export function isSameStarter(a: RunStarter, b: RunStarter): boolean {
  return a.kind === b.kind && a.id === b.id
}

/** The conflict that prevents a change: a run at another version, a journal of another owner, a line that is there already. */
export function runConflict(
  change: Change,
  stored: (run: string) => StoredRun | undefined,
  hasLine: (line: JournalLine) => boolean,
): RunConflict | null {
  for (const write of change.runs ?? []) {
    const version = stored(runIdOf(write))?.version ?? null
    if (version !== write.replaces) return { ok: false, conflict: "run", id: runIdOf(write) }
  }
  const { journal } = change
  if (journal === undefined) return null
  if (!ownersOf(change, journal.run, stored).includes(journal.owner)) {
    return { ok: false, conflict: "run", id: journal.run }
  }
  const line = journal.lines.find(hasLine) ?? repeatedLine(journal.lines)
  return line === undefined ? null : { ok: false, conflict: "journal", id: line.name }
}

/** The processes that may write to a run's journal: its owner before the change, and the one that the change gives it to. */
function ownersOf(change: Change, run: string, stored: (run: string) => StoredRun | undefined): readonly unknown[] {
  const writes = change.runs ?? []
  const next = writes.flatMap((write) => ("next" in write && write.next.id === run ? ownerOf(write.next) : []))
  return [stored(run)?.owner, ...next]
}

function repeatedLine(lines: readonly JournalLine[]): JournalLine | undefined {
  const names = new Set<string>()
  const numbers = new Set<number>()
  return lines.find((line) => {
    if (names.has(line.name) || numbers.has(line.seq)) return true
    names.add(line.name)
    numbers.add(line.seq)
    return false
  })
}
