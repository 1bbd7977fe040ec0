import { isAccepted, isPinOf, type Pin } from "@byleave/core"
import { notFound, refuse } from "../refused.ts"
import type { ApiService } from "../service.ts"
import { pinViewOf } from "../show/pin-view-of.ts"
import { unlessDefinitionsShown } from "./approvals/as-shown.ts"
import { refuseSelfApproval } from "./approvals/self-approval.ts"
import type { Handler } from "./handler.ts"
import { programsOf } from "./servers.ts"

export const listPins: Handler<"listPins"> = async (service, { query }) => {
  const { pins } = await service.store.decisionState()
  const { server, waiting, open } = query ?? {}
  const wanted = pins.filter(
    (pin) =>
      (server === undefined || pin.server === server) &&
      (waiting === undefined || isWaiting(pin) === waiting) &&
      (open === undefined || isOpen(pin) === open),
  )
  return { items: wanted.map((pin) => pinViewOf(service, pin)) }
}

function isWaiting({ proposed, quarantined }: Pin): boolean {
  return proposed !== null && proposed.rejected === undefined && quarantined === undefined
}

function isOpen({ proposed, quarantined }: Pin): boolean {
  return proposed !== null || quarantined !== undefined
}

export const acceptPin: Handler<"acceptPin"> = async (service, { body, who }) => {
  const { fingerprint, digest, ...of } = body
  const own = await refuseOwn(service, who.reviewer.id)
  if (own !== null) return own
  const pin = (await service.store.decisionState()).pins.find((each) => isPinOf(each, of))
  // Somebody has accepted it already.
  if (pin?.proposed === null && isAccepted(pin, fingerprint)) return null
  if (pin?.proposed?.fingerprint !== fingerprint) return changedAgain
  const otherwise = unlessDefinitionsShown(service, pin, digest)
  if (otherwise !== null) return otherwise
  return (await service.gate.acceptDefinition(of, fingerprint, who.reviewer)) ? null : changedAgain
}

/** Any reviewer may reject: a rejected or quarantined tool runs nothing. */
export const rejectPin: Handler<"rejectPin"> = async (service, { body, who }) => {
  const { fingerprint, ...of } = body
  return (await service.gate.rejectDefinition(of, fingerprint, who.reviewer)) ? null : changedAgain
}

export const quarantinePin: Handler<"quarantinePin"> = async (service, { body, who }) => {
  if (body.tool === undefined && !(await isKnown(service, body.server))) return notFound()
  return (await service.gate.quarantine(body, who.reviewer)) ? null : notFound()
}

export const liftPin: Handler<"liftPin"> = async (service, { body, who }) => {
  const own = await refuseOwn(service, who.reviewer.id)
  if (own !== null) return own
  return (await service.gate.liftQuarantine(body, who.reviewer)) ? null : notQuarantined
}

/** Rules and grants that allow a tool cover it once it is accepted or released, for everyone: also a waiting call of the owner's own token. */
function refuseOwn(service: ApiService, reviewer: string) {
  return refuseSelfApproval(service, reviewer, null)
}

const changedAgain = refuse("not-proposed", "This definition is no longer up for review. Review it again.")
const notQuarantined = refuse("not-proposed", "It is not quarantined. Review it again.")

async function isKnown(service: ApiService, server: string): Promise<boolean> {
  if (service.servers().some(({ id }) => id === server)) return true
  return (await programsOf(service)).some(({ id }) => id === server)
}
