/**
 * The store's knowledge of servers by their names: permissions, accepted tools, calls that wait.
 *
 * I1. Permissions are for one address. If another one is seen under the name, they are revoked before any of its tools is offered or can be accepted.
 * I2. Of a server that was removed, nothing is left that lets a call run: its permissions and accepted tools go, and its calls are cancelled.
 */
import type { ApprovalSummary, Gate, Reviewer, Store, StoredDocument, ToolDefinition } from "@byleave/core"
import { toolsAt } from "./server-address.ts"

export const you: Reviewer = { id: "you", groups: [] }

type KnownPorts = {
  readonly gate: Pick<Gate, "grants" | "revokeGrant" | "cancel" | "seeTools">
  readonly store: Pick<Store, "approvals" | "commit" | "decisionState" | "document" | "documents" | "now">
}

const kind = "server-address"
const unsettled = ["pending", "approved", "running"] as const
const most = 500

/** Notes the tools that a server lists at this address. Gives them as they are pinned and judged. */
export async function seeServer(
  ports: KnownPorts,
  server: string,
  listed: { readonly tools: readonly ToolDefinition[]; readonly address: string | null },
): Promise<readonly ToolDefinition[]> {
  const { address } = listed
  const isMoved = address !== null && (await knownAddress(ports.store, server))?.value.url !== address
  if (isMoved) await revokeGrants(ports, server)
  const tools = toolsAt(listed.tools, address)
  await ports.gate.seeTools(server, tools)
  if (isMoved) {
    // Approvals for the other address are superseded now; until then they could still be remembered.
    await revokeGrants(ports, server)
    await noteAddress(ports.store, server, address)
  }
  return tools
}

async function knownAddress(store: KnownPorts["store"], server: string): Promise<StoredDocument | undefined> {
  return store.document(kind, server, store.now(Date.now()))
}

/** A listing that is quicker has noted the same, or leaves it to the next one. */
async function noteAddress(store: KnownPorts["store"], server: string, url: string): Promise<void> {
  const known = await knownAddress(store, server)
  const replaces = known?.version ?? null
  const put = { kind, id: server, version: (replaces ?? 0) + 1, value: { url }, expiresAt: null }
  const at = store.now(Date.now())
  await store.commit({ at, documents: [{ put, replaces }], records: [], events: [], durability: "full" })
}

/** Forgets all servers but these. */
export async function forgetAllBut(ports: KnownPorts, servers: readonly string[]): Promise<void> {
  const { gate, store } = ports
  const { pins } = await store.decisionState()
  const found = new Set([
    ...(await gate.grants()).map(({ breadth }) => breadth.server),
    ...pins.map(({ server }) => server),
    ...(await store.documents(kind, { limit: 1_000, now: store.now(Date.now()) })).map(({ id }) => id),
    ...(await openCalls(store, {})).map(({ tool }) => tool.server),
  ])
  for (const server of found) if (!servers.includes(server)) await forgetServer(ports, server)
}

async function forgetServer(ports: KnownPorts, server: string): Promise<void> {
  const { gate, store } = ports
  for (const { id, principal } of await openCalls(store, { server })) {
    await gate.cancel(id, principal.id, "its server was removed.")
  }
  await revokeGrants(ports, server)
  const { pins } = await store.decisionState()
  await store.commit({
    at: store.now(Date.now()),
    pins: pins.flatMap((pin) => (pin.server === server ? [{ remove: { server, tool: pin.tool } }] : [])),
    documents: [{ remove: { kind, id: server }, replaces: null }],
    records: [],
    events: [{ type: "definition.changed", subject: server }],
    durability: "full",
  })
}

async function revokeGrants({ gate }: KnownPorts, server: string): Promise<void> {
  for (const { id, breadth } of await gate.grants()) {
    if (breadth.server === server) await gate.revokeGrant(id, you)
  }
}

async function openCalls(
  store: KnownPorts["store"],
  where: { readonly server?: string },
): Promise<readonly ApprovalSummary[]> {
  const found: ApprovalSummary[] = []
  for (;;) {
    const last = found.at(-1)
    const after = last === undefined ? {} : { after: { createdAt: last.createdAt, id: last.id } }
    const page = await store.approvals({ ...where, ...after, statuses: unsettled, limit: most })
    found.push(...page)
    if (page.length < most) return found
  }
}
