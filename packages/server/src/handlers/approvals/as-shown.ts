/**
 * Whether a verdict was given to what waits here. The digest it carries was computed by whoever showed the call, from what was shown.
 *
 * I1. A verdict whose digest is not that of the call as it is stored, and of the answer as it was sent, reaches the gate as one to nothing
 *     that waits; a plain no aside, which may name what would run as a list does.
 * I2. What is remembered, and a session, are changed only as they were shown: their digest is that of what is stored. A definition is
 *     accepted only where both it and the one accepted before are those that were shown.
 */
import {
  type ShownGrant,
  type ShownSession,
  shownDefinitionsText,
  shownGrantsText,
  shownSessionText,
  shownText,
  type VerdictBody,
  verdictText,
} from "@byleave/api"
import type { Approval, Pin } from "@byleave/core"
import { type RefusedRequest, refuse } from "../../refused.ts"
import type { ApiService } from "../../service.ts"

/** No run's digest: the gate refuses it, unless something else about the call is to be said first, such as that it was settled. */
const nothingShown = "not what was shown"

/** The same verdict by the gate's own digests. */
export async function asShown(service: ApiService, id: string, body: VerdictBody): Promise<VerdictBody> {
  const { digest, ...answer } = body
  const approval = await service.gate.approval(id)
  const isShown =
    approval !== undefined &&
    (isPlainNo(approval, body) || digest === service.hasher.sha256(verdictText(approval, answer)))
  const gateDigest = isShown ? approval.runDigest : nothingShown
  const { remember } = answer
  if (remember?.alsoSettles === undefined) return { ...answer, digest: gateDigest }
  const alsoSettles = []
  for (const listed of remember.alsoSettles) {
    const also = await service.gate.approval(listed.approval)
    alsoSettles.push({ ...listed, digest: shownRun(service, also, listed.digest) })
  }
  return { ...answer, digest: gateDigest, remember: { ...remember, alsoSettles } }
}

/** Lists carry no arguments, and whatever waits must be deniable from them: a no that is not remembered lets nothing run, whatever was shown. */
function isPlainNo({ runDigest }: Approval, { kind, remember, digest }: VerdictBody): boolean {
  return kind === "deny" && remember === undefined && digest === runDigest
}

/** The digest of the call that would run, if it is the one that was shown. */
export function shownRun(service: ApiService, approval: Approval | undefined, digest: string): string {
  const isShown = approval !== undefined && digest === service.hasher.sha256(shownText(approval))
  return isShown ? approval.runDigest : nothingShown
}

/** A refusal, unless these are the permissions that were shown. */
export function unlessGrantsShown(
  service: ApiService,
  grants: readonly ShownGrant[],
  digest: string,
): RefusedRequest | null {
  return unlessSame(service, shownGrantsText(grants), digest)
}

export function unlessSessionShown(service: ApiService, session: ShownSession, digest: string): RefusedRequest | null {
  return unlessSame(service, shownSessionText(session), digest)
}

export function unlessDefinitionsShown(service: ApiService, pin: Pin, digest: string): RefusedRequest | null {
  const { server, tool, of = "tool", accepted, proposed } = pin
  const definitions = { accepted: accepted?.definition ?? null, proposed: proposed?.definition ?? null }
  return unlessSame(service, shownDefinitionsText({ server, tool, of, ...definitions }), digest)
}

function unlessSame(service: ApiService, text: string, digest: string): RefusedRequest | null {
  return service.hasher.sha256(text) === digest ? null : otherwiseShown
}

const otherwiseShown = refuse(
  "digest-mismatch",
  "It differs from what you were shown. Review it again. Nothing was changed.",
)
