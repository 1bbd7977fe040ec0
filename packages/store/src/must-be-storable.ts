import type { Approval, CallUse, Change, Grant, Pin, SessionRecord } from "@byleave/core"
import type { DocumentWrite } from "./document-facts.ts"

type Numbers = ReadonlyArray<number | null | undefined>

/**
 * Throws when a change holds a time or a count that is no whole number: some stores would keep it as something else. That
 * is a defect of whoever made the change, and it is found before anything is written.
 */
export function mustBeStorable(change: Change): void {
  mustBeWhole("A change", change.at)
  for (const { at, step } of change.records) mustBeWhole("An audit record", at, step)
  for (const { next, replaces } of change.approvals ?? []) mustBeWhole("An approval", replaces, ...ofApproval(next))
  for (const write of change.grants ?? []) if ("put" in write) mustBeWhole("A grant", ...ofGrant(write.put))
  for (const write of change.pins ?? []) if ("put" in write) mustBeWhole("A pin", ...ofPin(write.put))
  for (const session of change.sessions ?? []) mustBeWhole("A session", ...ofSession(session))
  for (const write of change.documents ?? []) mustBeNext(write)
  if (change.use !== undefined) mustBeWhole("A use", ...ofUse(change.use))
}

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

function ofPin({ accepted, proposed, quarantined }: Pin): Numbers {
  return [accepted?.at, proposed?.seenAt, proposed?.rejected?.at, quarantined?.at]
}

function ofSession({ modeUntil, lifted, endedAt }: SessionRecord): Numbers {
  return [modeUntil, ...lifted.map(({ at }) => at), endedAt]
}

function ofUse({ writeWithinMs, coolDownMs }: CallUse): Numbers {
  return [writeWithinMs, coolDownMs]
}
