/**
 * The known facts about a session besides its mode and grants: its client, the folder it works in, switches it was started with, its first call, and when it was seen.
 * Reported with every request, so they are kept in memory and written at first sight, when something new is learned, and then at most once a
 * minute; listeners for events hear of them the first time and when something new is learned. A client's statements about itself are shown as
 * such, cut to a length, and decide nothing.
 *
 * I1. Of one token's sessions no more are kept than its share: the oldest that called nothing goes first, from the store as well.
 * I2. However many sessions are told of, few are being written at a time, so that others' changes wait for few. One that goes before it was written
 *     is not written.
 */
import {
  type Call,
  type EpochMs,
  type Hasher,
  type JsonObject,
  launchedDraft,
  type Redactor,
  type Session,
  type Store,
  sessionKey,
  type ToolRef,
} from "@byleave/core"
import { everyDocument } from "./every-document.ts"
import { tokenOf } from "./session-shares.ts"
import { opaqueSession } from "./show/session-key.ts"

/** Somebody of a session is there, and this much is known of them. */
export type Sighting = {
  readonly session: Session
  readonly client?: string | null
  readonly folder?: string | null
  /** The switches that its program was started with. */
  readonly switches?: readonly string[]
  readonly call?: ToolRef
}

export type SessionFact = {
  readonly session: Session
  readonly client: string | null
  readonly folder: string | null
  /** Absent: none. */
  readonly switches?: readonly string[]
  readonly firstCall: ToolRef | null
  readonly startedAt: EpochMs
  readonly lastSeenAt: EpochMs
}

export type SessionFacts = {
  readonly see: (sighting: Sighting) => void
  readonly of: (session: Pick<Session, "principal" | "id">) => Promise<SessionFact | null>
  /** By the key that events name it with. */
  readonly byKey: (key: string) => Promise<SessionFact | null>
  readonly seenSince: (since: EpochMs) => Promise<readonly SessionFact[]>
  /** Waits for what is being written. */
  readonly close: () => Promise<void>
}

export type SessionFactsPorts = {
  readonly store: Store
  readonly now: () => EpochMs
  readonly hasher: Hasher
  readonly redactor: Redactor
  readonly onTrouble?: (trouble: unknown) => void
}

const kind = "session"
const keptMs = 30 * 24 * 60 * 60_000
const rewriteMs = 60_000
const mostKnown = 10_000
const mostOfToken = 500
const mostWrites = 16
const longestClient = 120
const longestFolder = 500

/** `seenAt` is apart from the rest, which seldom changes: it is moved by every call. */
type Known = {
  fact: Omit<SessionFact, "lastSeenAt">
  seenAt: EpochMs
  writtenAt: EpochMs
  writing: boolean
  isBehind: boolean
  /** It is forgotten, here and in the store. */
  isDropped: boolean
}

export function createSessionFacts(ports: SessionFactsPorts): SessionFacts {
  const { store, hasher, onTrouble = () => {} } = ports
  const time = (): EpochMs => store.now(ports.now())
  const known = new Map<string, Known>()
  const ofToken = new Map<string, Set<string>>()
  const writes = new Set<Promise<void>>()
  const waiting = new Set<Known>()
  const write = (each: Known): void => {
    each.isBehind = true
    if (each.writing) return
    waiting.add(each)
    writeNext()
  }
  const writeNext = (): void => {
    for (const each of waiting) {
      if (writes.size >= mostWrites) return
      waiting.delete(each)
      each.writing = true
      const writing = save(each)
        .catch(onTrouble)
        .finally(() => {
          each.writing = false
          writes.delete(writing)
          writeNext()
        })
      writes.add(writing)
    }
  }
  const save = async (each: Known): Promise<void> => {
    for (let attempt = 0; each.isBehind && !each.isDropped && attempt < mostAttempts; attempt++) {
      const id = opaqueSession(each.fact.session, hasher)
      const found = await store.document(kind, id, time())
      each.isBehind = false
      const stored = found === undefined ? null : factIn(found.value)
      const fact = joined(factOf(each), stored)
      each.fact = fact
      each.writtenAt = each.seenAt = fact.lastSeenAt
      const replaces = found?.version ?? null
      const value = { version: 1, ...fact } as JsonObject
      const put = { kind, id, version: (replaces ?? 0) + 1, value, expiresAt: fact.lastSeenAt + keptMs }
      const events = isNews(fact, stored) ? [{ type: "document.changed" as const, subject: `${kind}/${id}` }] : []
      const isLaunch = fact.switches !== undefined && stored?.switches === undefined
      const records = isLaunch ? [launchedDraft(fact.session, fact.switches ?? [], time(), ports)] : []
      const change = { at: time(), documents: [{ put, replaces }], records, events }
      const committed = await store.commit({ ...change, durability: "soon", unhurried: true })
      if (!committed.ok) each.isBehind = true
    }
    if (!each.isDropped) return
    const remove = { kind, id: opaqueSession(each.fact.session, hasher) }
    const change = { at: time(), documents: [{ remove, replaces: null }], records: [], events: [] }
    await store.commit({ ...change, durability: "soon", unhurried: true })
  }
  const oldestOf = (keys: ReadonlySet<string>): string => {
    let [oldest = ""] = keys
    for (const key of keys) if (isOlder(known.get(key), known.get(oldest))) oldest = key
    return oldest
  }
  /** `forGood`: what is written of it goes, too. */
  const drop = (key: string, forGood: boolean): void => {
    const each = known.get(key)
    if (each === undefined) return
    known.delete(key)
    const token = tokenOf(each.fact.session.principal)
    const own = ofToken.get(token)
    own?.delete(key)
    if (own?.size === 0) ofToken.delete(token)
    if (!forGood) return
    each.isDropped = true
    const isUnwritten = waiting.delete(each) && each.writtenAt === 0
    if (!each.writing && !isUnwritten) write(each)
  }
  const remember = (key: string, fact: SessionFact): Known => {
    const token = tokenOf(fact.session.principal)
    const own = ofToken.get(token) ?? new Set()
    if (own.size >= mostOfToken) drop(oldestOf(own), true)
    else if (known.size >= mostKnown) drop(known.keys().next().value ?? "", false)
    ofToken.set(token, own.add(key))
    const made: Known = {
      fact,
      seenAt: fact.lastSeenAt,
      writtenAt: 0,
      writing: false,
      isBehind: false,
      isDropped: false,
    }
    known.set(key, made)
    return made
  }
  return {
    see: (sighting) => {
      const at = ports.now()
      const key = sessionKey(sighting.session)
      const each = known.get(key)
      if (each === undefined) return write(remember(key, factFrom(sighting, at)))
      const learned = learnedFrom(each.fact, sighting)
      if (at > each.seenAt) each.seenAt = at
      if (learned !== null) each.fact = { ...each.fact, ...learned }
      if (learned !== null || at - each.writtenAt >= rewriteMs) write(each)
    },
    of: async (session) => {
      const here = known.get(sessionKey(session))
      const found = await store.document(kind, opaqueSession(session, hasher), time())
      const stored = found === undefined ? null : factIn(found.value)
      return here === undefined ? stored : joined(factOf(here), stored)
    },
    byKey: async (key) => {
      const found = await store.document(kind, key, time())
      return found === undefined ? null : factIn(found.value)
    },
    seenSince: async (since) => {
      const facts = new Map<string, SessionFact>()
      for await (const { value } of everyDocument(store, kind, time)) {
        const fact = factIn(value)
        facts.set(sessionKey(fact.session), fact)
      }
      for (const [key, each] of known) facts.set(key, joined(factOf(each), facts.get(key) ?? null))
      return [...facts.values()].filter(({ lastSeenAt }) => lastSeenAt >= since)
    },
    close: async () => {
      while (writes.size > 0) await Promise.all(writes)
    },
  }
}

const mostAttempts = 5

function factOf({ fact, seenAt }: Known): SessionFact {
  return { ...fact, lastSeenAt: seenAt }
}

/** Of two sessions the one that is missed less: it called nothing, or was seen longer ago. */
function isOlder(one: Known | undefined, other: Known | undefined): boolean {
  if (one === undefined || other === undefined) return other !== undefined
  const called = ({ fact }: Known): number => (fact.firstCall === null ? 0 : 1)
  return called(one) === called(other) ? one.seenAt < other.seenAt : called(one) < called(other)
}

/** We wrote it, so its shape is known. */
function factIn(value: JsonObject): SessionFact {
  const { version: _, ...fact } = value
  return fact as unknown as SessionFact
}

function factFrom(
  { session: { principal, id, named }, client, folder, switches, call }: Sighting,
  at: EpochMs,
): SessionFact {
  return {
    session: { principal, id, named },
    client: cut(client, longestClient),
    folder: cut(folder, longestFolder),
    ...(switches === undefined ? {} : { switches }),
    firstCall: call ?? null,
    startedAt: at,
    lastSeenAt: at,
  }
}

/** The new facts in a sighting; null: none, as of every call of a session but the first. */
function learnedFrom(fact: Known["fact"], { client, folder, switches, call }: Sighting): Partial<Known["fact"]> | null {
  const saidClient = cut(client, longestClient) ?? fact.client
  const saidFolder = cut(folder, longestFolder) ?? fact.folder
  const isFirstCall = call !== undefined && fact.firstCall === null
  const isFirstLaunch = switches !== undefined && fact.switches === undefined
  if (saidClient === fact.client && saidFolder === fact.folder && !isFirstCall && !isFirstLaunch) return null
  return {
    client: saidClient,
    folder: saidFolder,
    ...(isFirstCall ? { firstCall: call } : {}),
    ...(isFirstLaunch ? { switches } : {}),
  }
}

/** Joins the facts known here with those that were written before or elsewhere. */
function joined(here: SessionFact, stored: SessionFact | null): SessionFact {
  if (stored === null) return here
  const switches = stored.switches ?? here.switches
  return {
    session: here.session,
    client: here.client ?? stored.client,
    folder: here.folder ?? stored.folder,
    ...(switches === undefined ? {} : { switches }),
    firstCall: stored.firstCall ?? here.firstCall,
    startedAt: Math.min(here.startedAt, stored.startedAt),
    lastSeenAt: Math.max(here.lastSeenAt, stored.lastSeenAt),
  }
}

/** When it was seen last is no news: that would be told once a minute. */
function isNews(fact: SessionFact, stored: SessionFact | null): boolean {
  if (stored === null) return true
  const { client, folder, switches, firstCall } = fact
  if (switches !== undefined && stored.switches === undefined) return true
  return client !== stored.client || folder !== stored.folder || (firstCall !== null && stored.firstCall === null)
}

function cut(text: string | null | undefined, longest: number): string | null {
  if (text === undefined || text === null || text === "") return null
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`
}

/** Says what a call tells of its session. */
export function sightingOf({ session, kind = "tool", tool }: Call): Sighting {
  return kind === "tool" ? { session, call: tool } : { session }
}
