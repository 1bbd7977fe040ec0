/** Digests of what people's programs have just displayed. */
import { type Client, type GrantView, grantsDigest, type Reply, sessionDigest } from "@byleave/api"

/** Of the permissions that are meant: those of an id, or of a server. */
export async function grantsDisplayed(
  client: Client,
  meant: { readonly id: string } | { readonly server: string },
): Promise<string> {
  const isMeant = ({ id, breadth }: GrantView) => ("id" in meant ? id === meant.id : breadth.server === meant.server)
  return grantsDigest(itemsOf(await client.listGrants()).filter(isMeant))
}

/** Names a session, with the digest of it as it is displayed now. */
export async function sessionDisplayed(
  client: Client,
  { principal, id }: { readonly principal: string; readonly id: string },
): Promise<{ principal: string; id: string; digest: string }> {
  const session = itemsOf(await client.listSessions()).find((each) => each.principal === principal && each.id === id)
  return { principal, id, digest: session === undefined ? "nothing displayed" : await sessionDigest(session) }
}

function itemsOf<Item>(reply: Reply<{ readonly items: readonly Item[] }>): readonly Item[] {
  if (!reply.ok) throw new Error(reply.problem.detail)
  return reply.value.items
}
