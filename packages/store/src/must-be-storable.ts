import type { AgentRun, Approval, CallUse, Change, Grant, JournalWrite, Pin, SessionRecord } from "@byleave/core"
import { utf8Length } from "@byleave/core"
import type { DocumentWrite } from "./document-facts.ts"
import { keyText } from "./key-text.ts"
import { endedAtOf, leaseUntilOf, type RunWrite, runIdOf } from "./run-facts.ts"

type Numbers = ReadonlyArray<number | null | undefined>

/**
 * Throws when a change holds a time or a count that is no whole number: some stores would keep it as something else. That
 * is a defect of whoever made the change, and it is found before anything is written.
 */
export function mustBeStorable(change: Change): void {
  mustBeWhole("A change", change.at)
  for (const { at, step } of change.records) mustBeWhole("An audit record", at, step)
  for (const { next, replaces } of change.approvals ?? none) mustBeWhole("An approval", replaces, ...ofApproval(next))
  for (const write of change.grants ?? none) if ("put" in write) mustBeWhole("A grant", ...ofGrant(write.put))
  for (const write of change.pins ?? none) if ("put" in write) mustBeWhole("A pin", ...ofPin(write.put))
  for (const session of change.sessions ?? none) mustBeWhole("A session", ...ofSession(session))
  for (const write of change.documents ?? none) mustBeNext(write)
  if (change.runs !== undefined) mustBeRuns(change.runs)
  if (change.journal !== undefined) mustBeJournal(change.journal, change.runs ?? none)
  if (change.use !== undefined) mustBeWhole("A use", ...ofUse(change.use))
}

/** One for all: most changes hold nothing but records, and lists made anew for what they do not hold were a twentieth of what a call allocates. */
const none: readonly never[] = []

/** Throws unless these are whole numbers, or absent. */
export function mustBeWhole(what: string, ...numbers: Numbers): void {
  for (const number of numbers) {
    if (number === null || number === undefined || Number.isSafeInteger(number)) continue
    throw new TypeError(`${what} holds ${number} where a whole number must be. Nothing was stored.`)
  }
}

/** Throws unless a document's version follows the one it replaces: else two writers could both be right. */
function mustBeNext(write: DocumentWrite): void {
  mustBeWhole("A document", write.replaces)
  if ("remove" in write) return
  const { version, expiresAt } = write.put
  mustBeWhole("A document", version, expiresAt)
  const next = (write.replaces ?? 0) + 1
  if (version === next) return
  throw new TypeError(`A document has version ${version} where ${next} must be. Nothing was stored.`)
}

/** In bytes, as it is stored: PostgreSQL finds calls of runs by it, and an index entry has a size limit. */
const longestRunId = 200

/** Throws unless a run's version is above the one it replaces. */
function mustFollow(write: RunWrite): void {
  mustBeWhole("A run", write.replaces)
  if ("remove" in write) return
  mustBeWhole("A run", ...ofRun(write.next))
  const { id, version } = write.next
  if (utf8Length(keyText(id)) > longestRunId) throw new TypeError("A run's id is too long. Nothing was stored.")
  if (version > (write.replaces ?? 0)) return
  throw new TypeError(`A run has version ${version} where it replaces ${write.replaces}. Nothing was stored.`)
}

function mustBeRuns(writes: readonly RunWrite[]): void {
  for (const write of writes) mustFollow(write)
  if (new Set(writes.map(runIdOf)).size < writes.length)
    throw new TypeError("A change writes a run twice. Nothing was stored.")
}

function mustBeJournal({ run, lines }: JournalWrite, runs: readonly RunWrite[]): void {
  if (runs.some((write) => "remove" in write && write.remove === run)) {
    throw new TypeError("A change writes to the journal of a run that it removes. Nothing was stored.")
  }
  for (const line of lines) {
    mustBeWhole("A line of a journal", line.seq, line.at)
    if (line.run !== run) throw new TypeError("A line is not of the journal it is written to. Nothing was stored.")
    if (line.seq < 1) throw new TypeError(`A line of a journal has number ${line.seq}. Nothing was stored.`)
    if (line.text.isWellFormed() && !line.text.includes("\0")) continue
    throw new TypeError("A line of a journal holds text that is not JSON. Nothing was stored.")
  }
}

function ofRun(run: AgentRun): Numbers {
  const { version, createdAt, updatedAt, legs, steps, usage, bytes } = run
  const when = [leaseUntilOf(run), endedAtOf(run), run.status === "paused" ? run.pausedAt : null]
  return [version, createdAt, updatedAt, legs, steps, usage.input, usage.output, usage.total, bytes, ...when]
}

function ofApproval(approval: Approval): Numbers {
  const { version, createdAt, votes } = approval
  return [
    version,
    createdAt,
    ...votes.map(({ at }) => at),
    "at" in approval ? approval.at : null,
    "expiresAt" in approval ? approval.expiresAt : null,
    "startedAt" in approval ? approval.startedAt : null,
    "leaseUntil" in approval ? approval.leaseUntil : null,
    "settledAt" in approval ? approval.settledAt : null,
  ]
}

function ofGrant({ createdAt, until, usesLeft, lastUsedAt, timesUsed }: Grant): Numbers {
  return [createdAt, until, usesLeft, lastUsedAt, timesUsed]
}

function ofPin({ accepted, alsoAccepted, proposed, rejectedBefore, quarantined }: Pin): Numbers {
  return [
    accepted?.at,
    ...(alsoAccepted ?? []).map(({ at }) => at),
    proposed?.seenAt,
    proposed?.rejected?.at,
    ...(rejectedBefore ?? []).map(({ at }) => at),
    quarantined?.at,
  ]
}

function ofSession({ modeUntil, lifted, since, endedAt }: SessionRecord): Numbers {
  return [modeUntil, ...lifted.map(({ at }) => at), since, endedAt]
}

function ofUse({ writeWithinMs, coolDownMs }: CallUse): Numbers {
  return [writeWithinMs, coolDownMs]
}
