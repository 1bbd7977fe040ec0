import type { EpochMs } from "../../call/call.ts"
import { escapeGlob, literalOf } from "../../policy/conditions/glob.ts"
import type { Breadth } from "../../policy/rules/remembered.ts"
import type { Grant, Level } from "./grant.ts"
import { levelOfGrant } from "./levels.ts"

export type LevelRefusal = { readonly code: "no-session" | "many-servers"; readonly detail: string }

/**
 * Changes a grant to a level: returns the changed grant, null if it is to be forgotten, or the reason why it cannot have that
 * level. A grant for good applies to every session; one for a single use keeps the session and the end it had. The changed grant
 * names the person who changes it now as its author.
 */
export function grantAtLevel(
  grant: Grant,
  level: Level,
  how: { readonly by: string; readonly at: EpochMs },
): Grant | LevelRefusal | null {
  if (level === "Ask") return null
  if (level === levelOfGrant(grant)) return grant
  if (level === "AllowSession" && grant.session === undefined && grant.agent === undefined) return noSession
  const breadth = breadthFor(grant, level === "DenyAlways" ? "deny" : "allow")
  if (breadth === null) return manyServers
  const { session: _, agent: __, starter: ___, until: ____, usesLeft: _____, reason, ...kept } = grant
  const isDenial = level === "DenyAlways"
  return {
    ...kept,
    version: (grant.version ?? 1) + 1,
    effect: isDenial ? "deny" : "allow",
    breadth,
    ...limitsAt(grant, level),
    // A reason for a yes is none for a no.
    ...(reason !== undefined && isDenial === (grant.effect === "deny") ? { reason } : {}),
    createdAt: how.at,
    createdBy: how.by,
  }
}

function limitsAt(
  { session, agent, starter, until }: Grant,
  level: Level,
): Pick<Grant, "session" | "agent" | "starter" | "until" | "usesLeft"> {
  if (level === "AllowAlways" || level === "DenyAlways") return {}
  return {
    ...(session === undefined ? {} : { session }),
    ...(agent === undefined ? {} : { agent }),
    ...(starter === undefined ? {} : { starter }),
    ...(until === undefined ? {} : { until }),
    ...(level === "AllowOnce" ? { usesLeft: 1 } : {}),
  }
}

/** A denying pattern's server is a glob, an allowing one's a name. Null: it is about more servers than one. */
function breadthFor({ effect, breadth }: Grant, next: Grant["effect"]): Breadth | null {
  if (breadth.kind !== "pattern" || effect === next) return breadth
  if (next === "deny") return { ...breadth, server: escapeGlob(breadth.server) }
  const server = literalOf(breadth.server)
  return server === null ? null : { ...breadth, server }
}

const noSession: LevelRefusal = {
  code: "no-session",
  detail: "This permission applies to every session, so it cannot be limited to one. Choose another level.",
}
const manyServers: LevelRefusal = {
  code: "many-servers",
  detail: "This covers several servers, but a permission that allows covers one. Revoke it and allow what you need.",
}
