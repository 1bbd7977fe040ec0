import type { SessionView } from "@byleave/api"
import { sessionName } from "../../data/session-name.ts"

type SessionRef = { readonly principal: string; readonly id: string }

/** How people know a session, never without whose it is; by its id where nothing else is known. */
export function sessionWords(session: SessionRef, known: readonly SessionView[]): string {
  const found = known.find(({ principal, id }) => principal === session.principal && id === session.id)
  const name = found === undefined ? session.id : sessionName(found)
  return name === session.principal ? name : `${name} (${session.principal})`
}
