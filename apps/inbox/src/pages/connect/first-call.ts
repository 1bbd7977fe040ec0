import type { SessionView } from "@byleave/api"

/** Whether the agent that is being connected has been heard of: not yet, by its name only, or by a call. */
export type FirstCall =
  | { readonly state: "waiting" }
  | { readonly state: "connected"; readonly session: SessionView }
  | { readonly state: "called"; readonly session: SessionView; readonly tool: NonNullable<SessionView["firstCall"]> }

type Expected = {
  /** Sessions that were there before, by their keys. */
  readonly known: ReadonlySet<string>
  /** The token that was made for it; null: any agent will do. */
  readonly principal: string | null
}

/** A call that Byleave makes about itself does not count as an agent's. */
const own = "byleave"

/** The newest session that is expected; one that has called comes before one that has not. */
export function firstCallOf(sessions: readonly SessionView[], { known, principal }: Expected): FirstCall {
  const found = sessions
    .filter(({ key, principal: whose }) => !known.has(key) && whose !== own)
    .filter((session) => principal === null || session.principal === principal)
    .toSorted((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0))
  const calling = found.find(({ firstCall }) => firstCall !== null)
  if (calling?.firstCall != null) return { state: "called", session: calling, tool: calling.firstCall }
  const [session] = found
  return session === undefined ? { state: "waiting" } : { state: "connected", session }
}
