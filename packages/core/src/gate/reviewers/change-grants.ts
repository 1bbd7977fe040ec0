/** Changes that people make to remembered grants: many grants at once, and another level for one of them. */
import type { Reviewer } from "../../approval/approval-event.ts"
import type { Grant } from "../../approval/grants/grant.ts"
import { grantAtLevel } from "../../approval/grants/grant-at-level.ts"
import { type LapsedGrant, newGrant } from "../../approval/grants/new-grant.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { isTime, mustBeSession } from "../callers/check-call.ts"
import type { GateContext } from "../context.ts"
import type { AddedGrant, LevelAnswer, NewGrant, WantedLevel } from "../gate.ts"
import { type Change, type DecisionState, StoreError } from "../store.ts"

const maxAttempts = 20

export async function addGrants(
  context: GateContext,
  grants: readonly NewGrant[],
  reviewer: Reviewer,
): Promise<ReadonlyArray<AddedGrant | LapsedGrant>> {
  for (const { session } of grants) if (session !== undefined) mustBeSession(session)
  return untilCommitted(context, (state, at) => {
    const known = new Map(state.grants.filter((grant) => isLive(grant, at)).map((grant) => [sameness(grant), grant]))
    const answers = grants.map((wanted) => added(context, known, wanted, reviewer, at))
    const fresh = answers.flatMap((answer) => ("known" in answer && !answer.known ? [answer.grant] : []))
    return { answer: answers, change: fresh.length === 0 ? null : saving(context, fresh) }
  })
}

function added(
  context: GateContext,
  known: Map<string, Grant>,
  wanted: NewGrant,
  reviewer: Reviewer,
  at: number,
): AddedGrant | LapsedGrant {
  if (wanted.until !== undefined && !isTime(wanted.until)) {
    return { code: "grant-lapsed", detail: "The expiry time must be a whole number of milliseconds." }
  }
  const grant = newGrant({ ...wanted, id: context.options.newId(), from: null, by: reviewer.id, at })
  if ("code" in grant) return grant
  const same = known.get(sameness(grant))
  if (same !== undefined) return { grant: same, known: true }
  known.set(sameness(grant), grant)
  return { grant, known: false }
}

/** A key for comparing grants: equal for two grants that say the same. */
function sameness({ effect, breadth, session, agent, starter, until, usesLeft }: Grant): string {
  const ref = session === undefined ? (agent ?? null) : [session.principal, session.id]
  return JSON.stringify([effect, breadth, ref, starter ?? null, until ?? null, usesLeft ?? null], byKey)
}

/** The order in which somebody wrote the members says nothing. */
function byKey(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) || isRawNumber(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isLive({ until, usesLeft }: Grant, at: number): boolean {
  return (until === undefined || at < until) && (usesLeft === undefined || usesLeft > 0)
}

function saving(context: GateContext, grants: readonly Grant[]): Changing {
  return {
    grants: grants.map((put) => ({ put })),
    records: grants.map((grant) => context.recorder.grantCreated(grant)),
    events: grants.map(({ id }) => ({ type: "grant.changed" as const, subject: id })),
  }
}

/** Taken back and given anew in one change: at no time is it neither, and nobody else's change is overwritten. */
export function setGrantLevel(
  context: GateContext,
  id: string,
  { level, version }: WantedLevel,
  reviewer: Reviewer,
): Promise<LevelAnswer> {
  return untilCommitted<LevelAnswer>(context, (state, at) => {
    const grant = state.grants.find((candidate) => candidate.id === id)
    if (grant === undefined) return { answer: gone, change: null }
    if ((grant.version ?? 1) !== version) return { answer: changedMeanwhile, change: null }
    const next = grantAtLevel(grant, level, { by: reviewer.id, at })
    if (next !== null && "code" in next) return { answer: { ok: false, ...next }, change: null }
    if (next === grant) return { answer: { ok: true, grant }, change: null }
    const revoked = context.recorder.grantRevoked(id, reviewer.id, at)
    const events = [{ type: "grant.changed" as const, subject: id }]
    if (next === null)
      return { answer: { ok: true, grant: null }, change: { grants: [{ remove: id }], records: [revoked], events } }
    const records = [revoked, context.recorder.grantCreated(next)]
    return { answer: { ok: true, grant: next }, change: { grants: [{ put: next }], records, events } }
  })
}

const gone: LevelAnswer = { ok: false, code: "not-found", detail: "This permission no longer exists." }
const changedMeanwhile: LevelAnswer = {
  ok: false,
  code: "conflict",
  detail: "Somebody changed it in the meantime. Review it again. Nothing was changed.",
}

type Changing = Pick<Change, "records" | "events"> & Required<Pick<Change, "grants">>
type Plan<Answer> = { readonly answer: Answer; readonly change: Changing | null }

/** Decides by the current grants, and again if they changed before the decision was written. */
async function untilCommitted<Answer>(
  context: GateContext,
  plan: (state: DecisionState, at: number) => Plan<Answer>,
): Promise<Answer> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const state = await context.store.decisionState()
    const at = context.now()
    const { answer, change } = plan(state, at)
    if (change === null) return answer
    const committed = await context.store.commit({ at, ...change, epoch: state.epoch, durability: "full" })
    context.snapshots.forget()
    if (committed.ok) return answer
  }
  throw new StoreError("busy", "Permissions kept changing while this one was being written. Try again.")
}
