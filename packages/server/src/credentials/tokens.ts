/**
 * Tokens: what agents and programs are known by.
 *
 * I1. The secret of a token is told once, to whoever made it; the store has its hash.
 * I2. No token speaks for a principal that is Byleave's own.
 * I3. A name has one token: a second never takes over the first, with its grants.
 * I4. A token is gone, for calls that are being decided as well, once the commit that revokes it is done.
 */
import type { NewToken, TokenView } from "@byleave/api"
import { runPrincipals, StoreError } from "@byleave/core"
import { notFound, type RefusedRequest, refuse } from "../refused.ts"
import { inboxName } from "../show/activity/inbox-caller.ts"
import { allCredentials, changeAccess, findCredential } from "./credential-book.ts"
import { type CredentialPorts, timeOf } from "./credential-ports.ts"
import { randomSecret } from "./random-secret.ts"
import { givingAnew, revoking } from "./revocation-documents.ts"
import { type Kept, writeCredential } from "./stored-credentials.ts"

export type TokenRequest = {
  readonly id: string
  readonly kind: TokenView["kind"]
  readonly owner?: string
  readonly namesSessions: boolean
  /** Of runners only. */
  readonly conveysDecisions?: boolean
}

/** Principals that no credential of anyone's may speak for. */
const reserved: ReadonlySet<string> = new Set(["byleave", "anonymous", inboxName, ...runPrincipals])

export function isReserved(name: string): boolean {
  return reserved.has(name.toLowerCase())
}

const maxAttempts = 20

/** Names are unique: a token's name is its principal's id. */
export async function addToken(
  ports: CredentialPorts,
  request: TokenRequest,
  by: string | null,
): Promise<NewToken | RefusedRequest> {
  const { id, kind, namesSessions, conveysDecisions = false } = request
  if (isReserved(id)) {
    return refuse("bad-request", `${id} is reserved by Byleave. Choose another name.`)
  }
  // What stands behind a colon is a name that a program gives its agent.
  if (id.includes(":")) return refuse("bad-request", "A token's name has no colon. Choose another name.")
  if (conveysDecisions && kind !== "runner") {
    return refuse("bad-request", "Only a token that runs agents can convey decisions. Make it a runner.")
  }
  if (request.owner !== undefined && (await findCredential(ports, "reviewer", request.owner)) === null) {
    return refuse("bad-request", `Reviewer ${request.owner} does not exist. Add them first, or leave out the owner.`)
  }
  const anew = await givingAnew(ports.store, id, () => timeOf(ports))
  const secret = `byl_${kind}_${randomSecret()}`
  const value = {
    version: 1 as const,
    kind,
    hash: ports.hasher.sha256(secret),
    owner: request.owner ?? null,
    namesSessions,
    ...(conveysDecisions ? { conveysDecisions } : {}),
    createdAt: timeOf(ports),
    createdBy: by,
    lastUsedAt: null,
  }
  const put = writeCredential("token", id, value)
  const conveys = conveysDecisions ? { conveysDecisions: true as const } : {}
  const record = { what: "token" as const, change: "added" as const, name: id, by, ...conveys }
  const added = await changeAccess(ports, [put, ...anew], [record], { movesEpoch: anew.length > 0 })
  if (!added) return refuse("name-taken", `Token ${id} already exists. Choose another name, or revoke that one first.`)
  return { token: tokenView({ id, at: 1, value }), secret }
}

export async function listTokens(ports: CredentialPorts): Promise<readonly TokenView[]> {
  return (await allCredentials(ports, "token")).map(tokenView)
}

export async function revokeToken(
  ports: CredentialPorts,
  id: string,
  by: string | null,
): Promise<RefusedRequest | null> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const found = await ports.store.document("token", id, timeOf(ports))
    if (found === undefined) return notFound()
    const documents = [{ remove: { kind: "token", id }, replaces: null }, ...(await revoking(ports.store, id))]
    const record = { what: "token", change: "removed", name: id, by } as const
    if (await changeAccess(ports, documents, [record], { movesEpoch: true })) return null
  }
  throw new StoreError("busy", `the token ${id} kept changing while it was revoked. Try again.`)
}

function tokenView({ id, value }: Kept<"token">): TokenView {
  const { kind, owner, namesSessions, conveysDecisions = false, createdAt, createdBy, lastUsedAt } = value
  return { id, kind, owner, namesSessions, conveysDecisions, createdAt, createdBy, lastUsedAt }
}
