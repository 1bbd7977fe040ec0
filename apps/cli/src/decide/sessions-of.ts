import type { Client, SessionView } from "@byleave/api"

/** As many as the service tells of at once, and as many as anybody reads. */
const mostKeys = 50
const mostSessions = 500

type OfSession = { readonly sessionKey: string }
export type SessionsByKey = ReadonlyMap<string, SessionView>

/** Returns the sessions of these calls by key. Nothing depends on it: where they cannot be read, calls are shown by their agent. */
export async function sessionsOf(client: Client, calls: readonly OfSession[]): Promise<SessionsByKey> {
  const keys = [...new Set(calls.map(({ sessionKey }) => sessionKey))].slice(0, mostSessions)
  const found = new Map<string, SessionView>()
  for (let from = 0; from < keys.length; from += mostKeys) {
    const query = { keys: keys.slice(from, from + mostKeys).join() }
    const reply = await client.listSessions({ query })
    if (!reply.ok) break
    for (const session of reply.value.items) found.set(session.key, session)
  }
  return found
}
