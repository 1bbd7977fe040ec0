import { bearsOnDecisions, type Session, type SessionRecord, sessionKey } from "@byleave/core"
import type { ApiService } from "../../service.ts"
import type { SessionFact } from "../../session-facts.ts"
import { inFairShares, withinList } from "../../session-shares.ts"
import { isInboxCaller } from "../../show/activity/inbox-caller.ts"

type Ref = { readonly principal: string; readonly id: string }

/** A session something is known of: by its record, by a call that was held in it, or because it was seen. */
export async function knownSession(service: ApiService, ref: Ref): Promise<Session | null> {
  const record = await service.store.session(ref)
  if (record !== undefined) return { principal: record.principal, id: record.id, named: record.named }
  const [held] = await service.store.approvals({ principal: ref.principal, session: ref.id, limit: 1 })
  return held?.session ?? (await service.sessionFacts?.of(ref))?.session ?? null
}

export type LiveSession = {
  readonly session: Session
  readonly record: SessionRecord | undefined
  readonly waiting: number
}

/** The most open sessions in a list: nobody would look through more. */
const mostOpen = 500

/** A session seen within this time is taken to be live still. */
const liveMs = 60 * 60_000
const mostWithGrants = 200

/**
 * Sessions that decisions rest on, with something remembered for them, or seen lately and not ended since, and those with the newest calls that wait
 * or run; and those whose program has just left. Of those that were only seen each agent has a share, and of all of them each token, unless one is
 * asked for by name.
 */
export async function liveSessions(service: ApiService, wanted?: string): Promise<readonly LiveSession[]> {
  const { sessions } = await service.store.decisionState()
  const live = new Map<string, LiveSession>(
    sessions.map((record) => [sessionKey(record), { session: record, record, waiting: 0 }]),
  )
  for (const { session, lastSeenAt } of await seenLately(service, wanted)) {
    if (live.has(sessionKey(session))) continue
    const record = await service.store.session(session)
    const isOver = (record?.endedAt ?? -1) >= lastSeenAt
    if (!isOver || (await isGone(service, session))) live.set(sessionKey(session), { session, record, waiting: 0 })
  }
  for (const each of await withGrants(service, live)) live.set(sessionKey(each.session), each)
  for (const { session, waiting } of await service.store.openSessions(mostOpen)) {
    const key = sessionKey(session)
    live.set(key, { ...(live.get(key) ?? { session, record: undefined }), waiting })
  }
  const all = [...live.values()]
  if (wanted !== undefined) return all.filter(({ session }) => isNamed(session, wanted))
  return withinList(all, ({ record, waiting }) => waiting > 0 || (record !== undefined && bearsOnDecisions(record)))
}

/** A session is named by its id, or as agent/id. */
function isNamed({ principal, id }: Ref, name: string): boolean {
  return id === name || `${principal}/${id}` === name
}

async function isGone(service: ApiService, session: Session): Promise<boolean> {
  return (await service.attendance.connectionOf(session)).state === "gone"
}

/** Sessions that are listed for nothing else than what is remembered for them: it is forgotten when they end. */
async function withGrants(
  service: ApiService,
  live: ReadonlyMap<string, LiveSession>,
): Promise<readonly LiveSession[]> {
  const refs = new Map<string, Ref>()
  for (const { session } of await service.gate.grants()) {
    if (session !== undefined && !live.has(sessionKey(session))) refs.set(sessionKey(session), session)
  }
  const found = [...refs.values()].slice(0, mostWithGrants).map(async (ref) => {
    const session = await knownSession(service, ref)
    return session === null ? [] : [{ session, record: await service.store.session(ref), waiting: 0 }]
  })
  return (await Promise.all(found)).flat()
}

/** Reads that pages make for people belong to no session. */
async function seenLately(service: ApiService, wanted: string | undefined): Promise<readonly SessionFact[]> {
  const seen = (await service.sessionFacts?.seenSince(service.time() - liveMs)) ?? []
  const agents = seen.filter(({ session }) => !isInboxCaller(session.principal))
  if (wanted !== undefined) return agents.filter(({ session }) => isNamed(session, wanted))
  return inFairShares(agents, (session) => service.isListening?.(session) === true)
}
