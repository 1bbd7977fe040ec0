/**
 * Whose the names are that programs give their servers. All that is known of a server is kept by its name: definitions, instructions, what waits.
 *
 * I1. A name belongs to one credential, the first that uses it, across restarts and at all processes of the store.
 * I2. The service comes first: its configuration and its own wraps take a name over from any other credential.
 * I3. With a name that passes on or becomes free goes what was seen under its owner and no person has answered.
 * I4. Decisions move on with the name, so what its former owner tells meanwhile is not kept.
 * I5. A token that was revoked owns nothing, also where another one has its name by now.
 */
import { type EpochMs, type Pin, type Store, type StoredDocument, StoreError, withoutSights } from "@byleave/core"
import type { Identify } from "./credentials/identify.ts"
import type { RevokedToken } from "./credentials/revoked-tokens.ts"
import { everyDocument } from "./every-document.ts"

/** Owns the names of the configuration and of all wraps, at every process of the store. No token has such a name. */
export const theService = "(service)"

/** `free`: nobody's, or another's that passes on to whoever asks. */
export type NameStanding = "own" | "free" | "anothers"

export type ServerOwners = {
  /** Whom a credential stands for as an owner. */
  readonly ownerFor: (credential: string) => string
  /** As it was read last; undefined: it must be read. */
  readonly known: (server: string) => string | undefined
  readonly standing: (server: string, owner: string) => Promise<NameStanding>
  /** Makes a name that is free this owner's. False: it is another's. */
  readonly claim: (server: string, owner: string) => Promise<boolean>
  readonly release: (revoked: RevokedToken) => Promise<void>
  readonly stop: () => void
}

export type ServerOwnersPorts = {
  readonly store: Pick<Store, "commit" | "decisionState" | "document" | "documents" | "subscribe">
  readonly time: () => EpochMs
  readonly addedAt: Identify["addedAt"]
  /** The credential of the service's own wraps; absent: it has none. */
  readonly wraps?: { readonly token: string; readonly addedAt: EpochMs }
}

type Owned = { readonly server: string; readonly owner: string; readonly since: EpochMs; readonly version: number }

const kind = "server-owner"
const maxAttempts = 20
/** Names whose owner is remembered; the others are read. */
const mostKnown = 10_000

export function createServerOwners({ store, time, addedAt, wraps }: ServerOwnersPorts): ServerOwners {
  let isWrapsRevoked = false
  const known = new Map<string, string>()
  /** The newest read of each name; one that something changed under is not remembered. */
  const reading = new Map<string, symbol>()
  const forget = (server: string): void => {
    reading.delete(server)
    known.delete(server)
  }
  const stop = store.subscribe(({ type, subject }) => {
    if (type === "definition.changed") forget(subject)
  })
  const read = async (server: string): Promise<Owned | null> => {
    const own = Symbol(server)
    reading.set(server, own)
    try {
      const found = await store.document(kind, server, time())
      if (found === undefined) return null
      const owned = ownedIn(found)
      // What a revoked token owned is free.
      if (!(await isThere(owned))) return { ...owned, owner: "" }
      if (reading.get(server) === own) remember(owned)
      return owned
    } finally {
      if (reading.get(server) === own) reading.delete(server)
    }
  }
  const remember = ({ server, owner }: Owned): void => {
    if (known.size >= mostKnown) known.clear()
    known.set(server, owner)
  }
  const isThere = async ({ owner, since }: Owned): Promise<boolean> => {
    if (owner === theService) return true
    const added = await addedAt(owner)
    return added !== null && added <= since
  }
  const standingOf = (owned: Owned | null, owner: string): NameStanding => {
    if (owned?.owner === owner) return "own"
    return owned === null || owned.owner === "" || owner === theService ? "free" : "anothers"
  }
  const take = async (server: string, owner: string): Promise<boolean> => {
    const at = time()
    const put = { kind, id: server, version: 1, value: { version: 1, owner, since: at }, expiresAt: null }
    const documents = [{ put, replaces: null }]
    return (await store.commit({ at, documents, records: [], events: [], durability: "full" })).ok
  }
  /** `owner` null: it becomes free. False: something changed meanwhile. */
  const pass = async ({ server, since, version }: Owned, owner: string | null): Promise<boolean> => {
    const { epoch, pins } = await store.decisionState()
    const at = time()
    const value = { version: 1, owner: owner ?? "", since: at }
    const put = { kind, id: server, version: version + 1, value, expiresAt: null }
    const committed = await store.commit({
      at,
      documents: [owner === null ? { remove: { kind, id: server }, replaces: version } : { put, replaces: version }],
      pins: pins.filter((pin) => pin.server === server).map((pin) => withoutSightsOf(pin, since)),
      records: [],
      events: [{ type: "definition.changed", subject: server }],
      ...{ epoch, movesEpoch: true, durability: "full" },
    })
    forget(server)
    return committed.ok
  }
  return {
    ownerFor: (credential) => (credential === wraps?.token && !isWrapsRevoked ? theService : credential),
    known: (server) => known.get(server),
    standing: async (server, owner) => standingOf(await read(server), owner),
    claim: async (server, owner) => {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const owned = await read(server)
        const standing = standingOf(owned, owner)
        if (standing !== "free") return standing === "own"
        if (await (owned === null ? take(server, owner) : pass(owned, owner))) return true
      }
      throw new StoreError("busy", `What is known of ${server} kept changing. Try again.`)
    },
    release: async ({ token, until }) => {
      if (wraps !== undefined && token === wraps.token && wraps.addedAt < until) isWrapsRevoked = true
      for await (const found of everyDocument(store, kind, time)) {
        const owned = ownedIn(found)
        if (owned.owner !== token || owned.since >= until) continue
        // Where something else changed meanwhile, whoever uses the name next finds it free, and does the same.
        for (let attempt = 0; attempt < maxAttempts; attempt++) if (await pass(owned, null)) break
      }
    },
    stop,
  }
}

function withoutSightsOf(
  pin: Pin,
  since: EpochMs,
): { readonly put: Pin } | { readonly remove: Pick<Pin, "server" | "tool"> } {
  const put = withoutSights(pin, since)
  return put === null ? { remove: { server: pin.server, tool: pin.tool } } : { put }
}

/** We wrote it, so its shape is known. */
function ownedIn({ id, value, version }: StoredDocument): Owned {
  return { server: id, owner: String(value.owner), since: Number(value.since), version }
}
