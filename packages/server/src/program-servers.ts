/**
 * Servers that other programs run behind this gate: `byleave wrap`, and whatever embeds Byleave. They are known by what those programs
 * told of their tools, kept for 30 days after the last time, so that people see them also while no client is there.
 */
import type { EpochMs, JsonObject, Store } from "@byleave/core"

export type ProgramServer = {
  readonly id: string
  readonly credential: string
  readonly lastSeenAt: EpochMs
}

export type ProgramServers = {
  readonly see: (server: string, credential: string) => Promise<void>
  readonly list: () => Promise<readonly ProgramServer[]>
}

export type ProgramServersPorts = { readonly store: Store; readonly time: () => EpochMs }

const kind = "program-server"
const keptMs = 30 * 24 * 60 * 60_000
const rewriteMs = 60_000
/** Ten credentials with all they may have; nobody would look through more. */
const most = 2_000

export function createProgramServers({ store, time }: ProgramServersPorts): ProgramServers {
  return {
    see: async (id, credential) => {
      const at = time()
      const found = await store.document(kind, id, at)
      const known = found === undefined ? null : serverIn(id, found.value)
      if (known?.credential === credential && at - known.lastSeenAt < rewriteMs) return
      const replaces = found?.version ?? null
      const value: JsonObject = { version: 1, credential, lastSeenAt: at }
      const put = { kind, id, version: (replaces ?? 0) + 1, value, expiresAt: at + keptMs }
      const events = known === null ? [{ type: "server.changed", subject: id } as const] : []
      // Another process that was quicker has seen the same.
      await store.commit({ at, documents: [{ put, replaces }], records: [], events, durability: "soon" })
    },
    list: async () =>
      (await store.documents(kind, { limit: most, now: time() })).map(({ id, value }) => serverIn(id, value)),
  }
}

/** We wrote it, so its shape is known. */
function serverIn(id: string, value: JsonObject): ProgramServer {
  return { id, credential: String(value.credential), lastSeenAt: Number(value.lastSeenAt) }
}
