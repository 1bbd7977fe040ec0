import type { SessionView } from "@byleave/api"
import { sessionName, tokenName } from "@byleave/api/page"

type SessionRef = { readonly principal: string; readonly id: string }

/** How people know a session, never without whose it is; by its id where nothing else is known. */
export function sessionWords(session: SessionRef, known: readonly SessionView[]): string {
  const { principal, id } = session
  const found = known.find((each) => each.principal === principal && each.id === id)
  if (found === undefined) return id === principal ? id : `${id} (${principal})`
  const name = sessionName(found, found)
  const isNamed = found.label === null && (found.client === null || tokenName(principal) !== null)
  return isNamed ? name : `${name} (${principal})`
}
