/**
 * Sessions that live as long as a program's connection: a wrap's. When one ends, what waits in it is withdrawn: whoever asked for it is gone.
 *
 * I1. A session ends when its last connection is gone and none takes its place in time; while another stands, it goes on.
 * I2. A service that closes ends no session, since programs come back to the next; the next ends those whose programs do not.
 * I3. A session that another living process of the service attends is left alone.
 * I4. A program is called gone only when it said goodbye or its connection broke before this process; of all others nothing is claimed.
 * I5. No credential attends more sessions than it may, those included that are about to end.
 * I6. Sessions whose programs have gone end one after the other, and others have a turn in between.
 */
import type { SessionView } from "@byleave/api"
import {
  type CallerGate,
  credentialOf,
  type EpochMs,
  type Hasher,
  type JsonObject,
  type Session,
  type Store,
  sessionKey,
} from "@byleave/core"
import { everyDocument } from "../every-document.ts"
import { opaqueSession } from "../show/session-key.ts"
import type { GateListener } from "./gate-answer.ts"

export type SessionPresence = {
  /** False: the credential of this session attends as many others as it may. */
  readonly mayAttend: (session: Session) => boolean
  /** Resolves when the program's connection is gone. */
  readonly attend: (session: Session, listener: Pick<GateListener, "whenGone">) => Promise<void>
  /** The program says itself that its session is over. */
  readonly end: (session: Session) => Promise<void>
  readonly connectionOf: (session: Pick<Session, "principal" | "id">) => Promise<SessionConnection>
  readonly close: () => void
}

/** Whether the program of a session is there. `unknown`: no connection tells, as of a client that sends one request at a time. */
export type SessionConnection = SessionView["connection"]

export type SessionPresencePorts = {
  readonly gate: Pick<CallerGate, "endSession">
  readonly store: Store
  readonly time: () => EpochMs
  readonly hasher: Hasher
  /** How long a session outlives its last connection. */
  readonly graceMs: number
  /** How long the programs of a process that is gone have to come back. */
  readonly returnMs: number
  /** Resolved after all other ready work has had its turn. */
  readonly nextTurn: () => Promise<unknown>
  readonly onTrouble: (trouble: unknown) => void
}

/** Of one credential: all the wraps of a person have one. */
export const mostAttended = 1_000

const kind = "attendance"
const keptMs = 30 * 24 * 60 * 60_000
/** People who look soon after a program left are told that it did. */
const goneKeptMs = 10 * 60_000
/** Processes of the service that went away are looked for this often. */
const lookMs = 15_000

type Attended = {
  readonly session: Session
  connections: number
  lostAt: EpochMs
  ending: ReturnType<typeof setTimeout> | undefined
}

/** As it is stored. `by`: the process that attends it, or did. */
type Noted = Session & { readonly by: string; readonly goneAt?: EpochMs }

export function createSessionPresence(ports: SessionPresencePorts): SessionPresence {
  const { gate, store, time, hasher, graceMs, returnMs, nextTurn, onTrouble } = ports
  const { here, countOf, ...attendances } = createAttendances()
  let isClosed = false
  let endings: Promise<unknown> = Promise.resolve()
  let aliveBefore: readonly string[] = []

  const notedOf = async (session: Pick<Session, "principal" | "id">): Promise<Noted | null> => {
    const found = await store.document(kind, opaqueSession(session, hasher), time())
    return found === undefined ? null : notedIn(found.value)
  }
  const note = async ({ principal, id, named }: Session, gone: Pick<Noted, "goneAt"> = {}): Promise<void> => {
    const document = opaqueSession({ principal, id }, hasher)
    const value: JsonObject = { version: 1, principal, id, named, by: store.writer, ...gone }
    for (let attempt = 0; attempt < 5; attempt++) {
      const replaces = (await store.document(kind, document, time()))?.version ?? null
      const expiresAt = time() + (gone.goneAt === undefined ? keptMs : goneKeptMs)
      const put = { kind, id: document, version: (replaces ?? 0) + 1, value, expiresAt }
      const change = { at: time(), documents: [{ put, replaces }], records: [], events: [] }
      if ((await store.commit({ ...change, durability: "soon" })).ok) return
    }
  }
  const endNow = async (session: Session, goneAt = time()): Promise<void> => {
    await gate.endSession(session)
    await note(session, { goneAt })
  }
  const endUnattended = async (key: string, attended: Attended): Promise<void> => {
    if (here.get(key) !== attended || attended.connections > 0 || isClosed) return
    attendances.remove(key)
    // It may have gone to another process of the service.
    if ((await notedOf(attended.session))?.by === store.writer) await endNow(attended.session, attended.lostAt)
  }
  const lose = (key: string, attended: Attended): void => {
    attended.connections -= 1
    if (attended.connections > 0 || isClosed) return
    attended.lostAt = time()
    attended.ending = setTimeout(() => {
      endings = endings.then(() => endUnattended(key, attended).catch(onTrouble)).then(nextTurn)
    }, graceMs)
  }
  const endOfTheGone = async (): Promise<void> => {
    const alive = new Set([store.writer, ...(await store.alive(time()))])
    for await (const { value } of everyDocument(store, kind, time)) {
      if (isClosed) return
      const { by, goneAt, ...session } = notedIn(value)
      if (goneAt !== undefined || alive.has(by) || here.has(sessionKey(session))) continue
      await endNow(session)
      await nextTurn()
    }
  }
  const look = async (): Promise<void> => {
    const alive = await store.alive(time())
    const isSomeoneGone = aliveBefore.some((writer) => !alive.includes(writer))
    aliveBefore = alive
    if (isSomeoneGone) endOfTheGoneSoon()
  }
  let soon: ReturnType<typeof setTimeout> | undefined
  const endOfTheGoneSoon = (): void => {
    clearTimeout(soon)
    soon = setTimeout(() => void endOfTheGone().catch(onTrouble), returnMs)
  }
  endOfTheGoneSoon()
  const looking = setInterval(() => void look().catch(onTrouble), lookMs)

  return {
    mayAttend: (session) => here.has(sessionKey(session)) || countOf(session) < mostAttended,
    attend: async (session, { whenGone }) => {
      const key = sessionKey(session)
      const attended = here.get(key) ?? { session, connections: 0, lostAt: 0, ending: undefined }
      attendances.add(key, attended)
      attended.connections += 1
      clearTimeout(attended.ending)
      const gone = new Promise<void>((resolve) => whenGone(resolve))
      try {
        await note(session)
      } finally {
        await gone
        lose(key, attended)
      }
    },
    end: async (session) => {
      const attended = here.get(sessionKey(session))
      clearTimeout(attended?.ending)
      attendances.remove(sessionKey(session))
      await endNow(session)
    },
    connectionOf: async (session) => {
      const attended = here.get(sessionKey(session))
      if (attended !== undefined)
        return attended.connections > 0 ? { state: "connected" } : { state: "gone", since: attended.lostAt }
      const noted = await notedOf(session)
      if (noted === null) return { state: "unknown" }
      if (noted.goneAt !== undefined) return { state: "gone", since: noted.goneAt }
      const isElsewhere = noted.by !== store.writer && (await store.alive(time())).includes(noted.by)
      return { state: isElsewhere ? "connected" : "unknown" }
    },
    close: () => {
      isClosed = true
      clearTimeout(soon)
      clearInterval(looking)
      for (const { ending } of here.values()) clearTimeout(ending)
    },
  }
}

/** The sessions that are attended here, or were until just now, counted by their credentials. */
function createAttendances() {
  const here = new Map<string, Attended>()
  const counts = new Map<string, number>()
  const countOf = ({ principal }: Session): number => counts.get(credentialOf(principal)) ?? 0
  return {
    here,
    countOf,
    add: (key: string, attended: Attended): void => {
      if (here.has(key)) return
      here.set(key, attended)
      counts.set(credentialOf(attended.session.principal), countOf(attended.session) + 1)
    },
    remove: (key: string): void => {
      const attended = here.get(key)
      if (attended === undefined) return
      here.delete(key)
      const count = countOf(attended.session) - 1
      const credential = credentialOf(attended.session.principal)
      if (count > 0) counts.set(credential, count)
      else counts.delete(credential)
    },
  }
}

/** We wrote it, so its shape is known. */
function notedIn(value: JsonObject): Noted {
  const { version: _, ...noted } = value
  return noted as unknown as Noted
}
