/**
 * What is remembered, added and forgotten by people.
 *
 * I1. Forgetting a no is held to what a yes is: somebody is there, and it is not their own token.
 * I2. A yes for a session nobody knows of is not added.
 */
import type { Grant } from "@byleave/core"
import { answerRefused } from "../answer-refused.ts"
import { needPresence, type Who } from "../guard/who-asks.ts"
import { notFound, type Refused, refuse } from "../refused.ts"
import type { Service } from "../service.ts"
import { grantViewOf } from "../show/grant-view-of.ts"
import type { Handler } from "./handler.ts"
import { knownSession } from "./known-sessions.ts"
import { refuseSelfApproval } from "./self-approval.ts"

export const listGrants: Handler<"listGrants"> = async (service, { query }) => {
  const { server, principal } = query ?? {}
  const grants = (await service.gate.grants()).filter(
    (grant) =>
      (server === undefined || grant.breadth.server === server) &&
      (principal === undefined || grant.session?.principal === principal),
  )
  return { items: grants.map((grant) => grantViewOf(grant, service.time())) }
}

export const addGrant: Handler<"addGrant"> = async (service, { body, who }) => {
  if (body.effect === "allow") {
    const refused = await mayWiden(service, who, body.session?.principal ?? null)
    if (refused !== null) return refused
  }
  const { session: ref, ...grant } = body
  const session = ref === undefined ? undefined : await knownSession(service, ref)
  if (session === null) return notFound()
  const added = await service.gate.addGrant({ ...grant, ...(session === undefined ? {} : { session }) }, who.reviewer)
  return "code" in added ? answerRefused(added) : grantViewOf(added, service.time())
}

export const revokeGrant: Handler<"revokeGrant"> = async (service, { params, who }) => {
  const grant = (await service.gate.grants()).find(({ id }) => id === params.id)
  if (grant === undefined) return notFound()
  const refused = await mayForget(service, who, [grant])
  if (refused !== null) return refused
  return (await service.gate.revokeGrant(params.id, who.reviewer)) ? null : notFound()
}

export const clearGrants: Handler<"clearGrants"> = async (service, { body, who }) => {
  const grants = (await service.gate.grants()).filter((grant) =>
    "server" in body
      ? grant.breadth.server === body.server
      : grant.session?.principal === body.session.principal && grant.session.id === body.session.id,
  )
  const refused = await mayForget(service, who, grants)
  if (refused !== null) return refused
  let revoked = 0
  for (const grant of grants) if (await service.gate.revokeGrant(grant.id, who.reviewer)) revoked += 1
  return { revoked }
}

/** Forgetting a yes needs nobody to be there. Forgetting a no may let something run, so it is held to what a yes is. */
export async function mayForget(service: Service, who: Who, grants: readonly Grant[]): Promise<Refused | null> {
  for (const grant of grants) {
    if (grant.effect === "allow") continue
    const refused = await mayWiden(service, who, grant.session?.principal ?? null)
    if (refused !== null) return refused
  }
  return null
}

async function mayWiden(service: Service, who: Who, principal: string | null): Promise<Refused | null> {
  return needPresence(who) ?? (await refuseSelfApproval(service, who.reviewer.id, principal))
}

const notYet = refuse("unavailable", "This service cannot do that yet. Update Byleave.")

export const setGrantLevel: Handler<"setGrantLevel"> = () => notYet

export const exportGrants: Handler<"exportGrants"> = () => notYet

export const importGrants: Handler<"importGrants"> = () => notYet
