import type { Grant } from "../../approval/grants/grant.ts"
import { newSessionRecord, type SessionRecord } from "../../approval/usage/session-record.ts"
import type { AuditDraft } from "../../audit/record.ts"
import { type EpochMs, type Session, sessionKey } from "../../call/call.ts"
import type { GateContext } from "../context.ts"
import { type Change, StoreError } from "../store.ts"

const maxAttempts = 50

export type SessionChange = {
  readonly next: SessionRecord
  readonly grants?: NonNullable<Change["grants"]>
  readonly records?: readonly AuditDraft[]
  readonly event?: "mode.changed" | "session.ended"
  /** Decisions fall as before: those that are being made need not be made anew. */
  readonly keepsDecisions?: boolean
}

/** Changes what is remembered of a session; `grants` are those given for it. Read and written at one epoch, so that no change undoes another. */
export async function changeSession(
  context: GateContext,
  session: Session,
  change: (before: SessionRecord, at: EpochMs, grants: readonly Grant[]) => SessionChange | null,
): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { epoch, record, grants } = await context.store.sessionState(session)
    const at = context.now()
    const isNew = record === undefined || record.endedAt !== null
    const before = { ...(record ?? newSessionRecord(session)), ...(isNew ? { since: at } : {}) }
    const changed = change(before, at, grants)
    if (changed === null) return
    const committed = await context.store.commit({
      at,
      sessions: [changed.next],
      ...(changed.grants === undefined ? {} : { grants: changed.grants }),
      records: changed.records ?? [],
      events: [{ type: changed.event ?? "mode.changed", subject: sessionKey(session) }],
      epoch,
      ...(changed.keepsDecisions === true ? { movesEpoch: false } : {}),
      durability: "full",
    })
    if (changed.keepsDecisions !== true || !committed.ok) context.snapshots.forget()
    if (committed.ok) return
  }
  throw new StoreError("busy", "the session kept changing. Try again.")
}
