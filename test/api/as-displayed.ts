/** Digests of what people's programs have just displayed. */
import {
  type Client,
  definitionsDigest,
  type GrantView,
  grantsDigest,
  type ServiceReply,
  sessionDigest,
} from "@byleave/api"

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

/** Names the definition that waits of a tool, or of a server's own words, with the digest of it and of the accepted one as displayed now. */
export async function definitionDisplayed(
  client: Client,
  of: { readonly server: string; readonly tool?: string },
): Promise<{ server: string; tool?: string; fingerprint: string; digest: string }> {
  const pins = itemsOf(await client.listPins({ query: { server: of.server } }))
  const pin = pins.find((each) => (of.tool === undefined ? each.of === "server" : each.tool === of.tool))
  if (pin?.proposed == null) throw new Error("nothing of it waits to be answered")
  return { ...of, fingerprint: pin.proposed.fingerprint, digest: await definitionsDigest(pin) }
}

function itemsOf<Item>(reply: ServiceReply<{ readonly items: readonly Item[] }>): readonly Item[] {
  if (!reply.ok) throw new Error(reply.problem.detail)
  return reply.value.items
}
