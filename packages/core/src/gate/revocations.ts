/**
 * Credentials that were revoked. Each is a document, written in the commit that revokes the credential, which moves the epoch.
 *
 * I1. No call begins to run in a commit after the one that revoked the credential it was made with, at any process: claims and judgements commit at their
 * epoch, and the revocations are read after it.
 * I2. Calls of whoever got the name later are not touched.
 */
import type { Refusal } from "../approval/refusal.ts"
import { type Call, credentialOf, type EpochMs, type Principal, toolName } from "../call/call.ts"
import { isRunPrincipal, runnerOf } from "../call/run-principal.ts"
import { shownName } from "../call/text/quoted.ts"
import type { Store } from "./store.ts"

/** Of documents: the id is the credential's name, and `until` is when somebody else got that name, null until then. */
export const revocationKind = "revocation"
const pageSize = 500

/** By the credential's name: everything that began before then was begun with the revoked one. */
export type Revocations = ReadonlyMap<string, EpochMs>

/** Whose call it is, and since when it is known. `starter`: the name of the starter of the run whose call it is. */
export type CredentialUse = {
  readonly principal: Pick<Principal, "id">
  readonly starter?: string
  readonly since: EpochMs
}

export function isRevokedUse(revocations: Revocations, { principal, starter, since }: CredentialUse): boolean {
  if (revocations.size === 0) return false
  const name = isRunPrincipal(principal.id) ? runnerOf(starter) : credentialOf(principal.id)
  const until = name === null ? undefined : revocations.get(name)
  return until !== undefined && since < until
}

export const tokenRevoked = "the agent's token was revoked."

export function revokedRefusal({ tool }: Pick<Call, "tool">): Refusal {
  const reason = `${shownName(toolName(tool))} did not run: ${tokenRevoked}`
  return { by: "policy", code: "cancelled", reason }
}

export async function readRevocations(store: Pick<Store, "documents">): Promise<Revocations> {
  const found = new Map<string, EpochMs>()
  for (let after: string | undefined; ; ) {
    // They never expire, so that any time does.
    const page = await store.documents(revocationKind, {
      limit: pageSize,
      now: 0,
      ...(after === undefined ? {} : { after }),
    })
    for (const { id, value } of page) found.set(id, typeof value.until === "number" ? value.until : never)
    after = page.at(-1)?.id
    if (page.length < pageSize) return found
  }
}

const never = Number.POSITIVE_INFINITY
