/**
 * Which session a request belongs to.
 *
 * I1. A session is named only by a credential that may name sessions.
 * I2. A session always belongs to the principal of the credential, whatever it is called.
 * I3. Header and `_meta` never name two sessions.
 * I4. The name goes to no server.
 */
import { type JsonObject, memberAt, objectAt, type Session, without } from "@byleave/core"
import type { Identity } from "../gateway.ts"
import type { Ask } from "../wire/message.ts"

const sessionMetaKey = "byleave/session"
const longestName = 256

export type NamedSession =
  | { readonly ok: true; readonly session: Session; readonly ask: Ask }
  | { readonly ok: false; readonly status: 400 | 403; readonly problem: string }

/**
 * Which session a request belongs to: the one its host names, if its credential may name any; else what the carrier knows it
 * by (`own`); else the principal. The name is ours and goes no further.
 */
export function nameSession(
  identity: Identity,
  own: string | null,
  header: string | string[] | undefined,
  ask: Ask,
): NamedSession {
  const meta = objectAt(ask.params, "_meta")
  const inMeta = memberAt(meta, sessionMetaKey)
  if (header === undefined && inMeta === undefined) return { ok: true, session: ownSession(identity, own), ask }
  if (!identity.namesSessions) return { ok: false, status: 403, problem: mayNot }
  const name = inMeta ?? header
  if (typeof name !== "string" || name === "" || name.length > longestName)
    return { ok: false, status: 400, problem: badName }
  if (inMeta !== undefined && header !== undefined && inMeta !== header)
    return { ok: false, status: 400, problem: twoNames }
  const session = ownSession(identity, name)
  return { ok: true, session, ask: meta === undefined ? ask : { ...ask, params: withoutName(ask.params ?? {}, meta) } }
}

const mayNot =
  "This credential may not name sessions. Leave the session name out, or use a credential that may name them."
const badName = `A session's name is a text of 1 to ${longestName} characters.`
const twoNames = "The header and _meta name different sessions. Name one."

export function ownSession(identity: Identity, own: string | null): Session {
  const { id } = identity.principal
  // One named like its principal is no other session than that of a request without a name.
  return own === null || own === id ? { principal: id, id, named: false } : { principal: id, id: own, named: true }
}

function withoutName(params: JsonObject, meta: JsonObject): JsonObject {
  const kept = without(meta, [sessionMetaKey])
  if (kept === meta) return params
  return Object.keys(kept).length === 0 ? without(params, ["_meta"]) : { ...params, _meta: kept }
}
