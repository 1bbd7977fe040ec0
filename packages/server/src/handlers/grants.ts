/**
 * Grants added and forgotten by people.
 *
 * I1. Forgetting a no is held to what a yes is: somebody is there, and it is not their own token.
 * I2. A yes for a session nobody knows of is not added.
 *
 * A level that allows, given to what is remembered, is a yes; one that does not deny what was denied forgets a no. A file that allows
 * anything is a yes as a whole.
 */
import { type Grant, grantAtLevel } from "@byleave/core"
import { answerRefused } from "../gate/answer-refused.ts"
import type { RequestIdentity } from "../guard/who-asks.ts"
import { notFound, type RefusedRequest, refuse } from "../refused.ts"
import type { ApiService } from "../service.ts"
import { grantViewOf } from "../show/grant-view-of.ts"
import { unlessGrantsShown } from "./approvals/as-shown.ts"
import { mayWiden } from "./approvals/self-approval.ts"
import type { Handler } from "./handler.ts"
import { knownSession } from "./history/known-sessions.ts"

export const listGrants: Handler<"listGrants"> = async (service, { query }) => {
  const { server, principal } = query ?? {}
  const grants = (await service.gate.grants()).filter(
    (grant) =>
      (server === undefined || grant.breadth.server === server) &&
      (principal === undefined || agentOf(grant) === principal),
  )
  return { items: grants.map((grant) => grantViewOf(grant, service.time())) }
}

export const addGrant: Handler<"addGrant"> = async (service, { body, who }) => {
  if (body.effect === "allow") {
    const refused = await mayWiden(service, who, body)
    if (refused !== null) return refused
  }
  const { session: ref, ...grant } = body
  const session = ref === undefined ? undefined : await knownSession(service, ref)
  if (session === null) return notFound()
  const added = await service.gate.addGrant({ ...grant, ...(session === undefined ? {} : { session }) }, who.reviewer)
  return "code" in added ? answerRefused(added) : grantViewOf(added, service.time())
}

export const revokeGrant: Handler<"revokeGrant"> = async (service, { params, body, who }) => {
  const grant = (await service.gate.grants()).find(({ id }) => id === params.id)
  if (grant === undefined) return notFound()
  const refused = unlessGrantsShown(service, [grant], body.digest) ?? (await mayForget(service, who, [grant]))
  if (refused !== null) return refused
  const forgotten = await forget(service, who, grant)
  return forgotten.ok ? null : refuse(forgotten.code === "conflict" ? "conflict" : "not-found", forgotten.detail)
}

/** By its version: one that became another answer meanwhile stays. */
function forget(service: ApiService, who: RequestIdentity, { id, version = 1 }: Grant) {
  return service.gate.setGrantLevel(id, { level: "Ask", version }, who.reviewer)
}

export const clearGrants: Handler<"clearGrants"> = async (service, { body, who }) => {
  const grants = (await service.gate.grants()).filter((grant) =>
    "server" in body
      ? grant.breadth.server === body.server
      : grant.session?.principal === body.session.principal && grant.session.id === body.session.id,
  )
  const refused = unlessGrantsShown(service, grants, body.digest) ?? (await mayForget(service, who, grants))
  if (refused !== null) return refused
  let revoked = 0
  for (const grant of grants) if ((await forget(service, who, grant)).ok) revoked += 1
  return { revoked }
}

/** Forgetting a yes needs nobody to be there. Forgetting a no may let something run, so it is held to what a yes is. */
export async function mayForget(
  service: ApiService,
  who: RequestIdentity,
  grants: readonly Grant[],
): Promise<RefusedRequest | null> {
  for (const grant of grants) {
    if (grant.effect === "allow") continue
    const refused = await mayWiden(service, who, grant)
    if (refused !== null) return refused
  }
  return null
}

/** The one agent it is about; null: every agent. */
function agentOf({ session, agent }: Grant): string | null {
  return session?.principal ?? agent ?? null
}

export const setGrantLevel: Handler<"setGrantLevel"> = async (service, { params, body, who }) => {
  const grant = (await service.gate.grants()).find(({ id }) => id === params.id)
  if (grant === undefined) return notFound()
  const { digest, ...wanted } = body
  // A grant that somebody changed meanwhile has another version, and the gate says so.
  const otherwise = wanted.version === (grant.version ?? 1) ? unlessGrantsShown(service, [grant], digest) : null
  if (otherwise !== null) return otherwise
  const next = grantAtLevel(grant, body.level, { by: who.reviewer.id, at: service.time() })
  if (next !== null && "code" in next) return refuse("bad-request", next.detail)
  const refused = await mayChange(service, who, grant, next)
  if (refused !== null) return refused
  const set = await service.gate.setGrantLevel(params.id, wanted, who.reviewer)
  if (set.ok) return { grant: set.grant === null ? null : grantViewOf(set.grant, service.time()) }
  return refuse(set.code === "conflict" || set.code === "not-found" ? set.code : "bad-request", set.detail)
}

/** A change to allow counts as an approval, and a denial that ends counts as forgotten. */
async function mayChange(
  service: ApiService,
  who: RequestIdentity,
  grant: Grant,
  next: Grant | null,
): Promise<RefusedRequest | null> {
  const yes = next?.effect === "allow" ? await mayWiden(service, who, next) : null
  if (yes !== null) return yes
  return next?.effect === "deny" ? null : mayForget(service, who, [grant])
}

export const exportGrants: Handler<"exportGrants"> = async (service) => {
  const now = service.time()
  const lasting = (await service.gate.grants()).filter(
    (grant) => agentOf(grant) === null && (grant.until ?? now + 1) > now,
  )
  return {
    version: 1,
    grants: lasting.map(({ effect, breadth, until, usesLeft, reason }) => ({
      effect,
      breadth,
      ...(until === undefined ? {} : { until }),
      ...(usesLeft === undefined ? {} : { uses: usesLeft }),
      ...(reason === undefined ? {} : { reason }),
    })),
  }
}

export const importGrants: Handler<"importGrants"> = async (service, { body, who }) => {
  const refused = body.grants.some(({ effect }) => effect === "allow") ? await mayWiden(service, who, {}) : null
  if (refused !== null) return refused
  const answers = await service.gate.addGrants(body.grants, who.reviewer)
  const now = service.time()
  return {
    results: answers.map((answer) =>
      "code" in answer
        ? { ok: false, why: answer.detail }
        : { ok: true, grant: grantViewOf(answer.grant, now), known: answer.known },
    ),
  }
}
