/**
 * Grants as levels: Ask, AllowOnce, AllowSession, AllowAlways, DenyAlways, per tool or for a whole server.
 *
 * A level is one word for what grants say, so it rounds towards asking: what is allowed only in part (by access, by
 * conditions on arguments) is not allowed, and what may be denied in part is at best Ask. Policy decides; levels tell.
 */
import type { EpochMs, Session } from "../../call/call.ts"
import { compileGlob, escapeGlob } from "../../policy/conditions/glob.ts"
import { type Remembered, scopeOf, serves } from "../../policy/rules/remembered.ts"
import { formatTargetPattern, formatToolLiteral } from "../../policy/rules/target-pattern.ts"
import type { Grant, Level } from "./grant.ts"

type SessionRef = Pick<Session, "principal" | "id">

/** The subject of a look-up: a tool, or the whole server if `tool` is null; in one session, or in all of them if `session` is absent. */
export type Lookup = {
  readonly server: string
  readonly tool: string | null
  readonly session?: SessionRef | undefined
  readonly now: EpochMs
}

export function levelOf(grants: readonly Grant[], lookup: Lookup): Level {
  const found = liveGrants(grants, lookup.now, lookup.session).map((grant) => ({
    grant,
    reach: reachOf(grant, lookup),
  }))
  const denies = found.filter(({ grant, reach }) => grant.effect === "deny" && reach !== "none")
  if (denies.some(({ reach }) => reach === "whole")) return "DenyAlways"
  if (denies.length > 0) return "Ask"
  const allowed = found.filter(({ grant, reach }) => grant.effect === "allow" && reach === "whole")
  const levels = allowed.map(({ grant }) => levelOfGrant(grant))
  return lasting.find((level) => levels.includes(level)) ?? "Ask"
}

const lasting = ["AllowAlways", "AllowSession", "AllowOnce"] as const satisfies readonly Level[]

export function isAllowed(grants: readonly Grant[], lookup: Lookup): boolean {
  const level = levelOf(grants, lookup)
  return level === "AllowOnce" || level === "AllowSession" || level === "AllowAlways"
}

/** The nearest level that promises no more than the grant; one limited in uses is never more than once for sure. */
export function levelOfGrant(grant: Remembered): Level {
  if (grant.effect === "deny") return "DenyAlways"
  if (grant.usesLeft !== undefined) return "AllowOnce"
  return grant.session === undefined && grant.agent === undefined ? "AllowAlways" : "AllowSession"
}

/** Patterns of what is wholly allowed; a grant in part or for a number of uses has no pattern that says no more. */
export function allowedPatterns(grants: readonly Grant[], now: EpochMs, session?: SessionRef): readonly string[] {
  const whole = liveGrants(grants, now, session).filter(
    (grant) => grant.effect === "allow" && grant.usesLeft === undefined && isWhole(grant),
  )
  return unique(whole.flatMap(patternsOf))
}

/** Patterns of all that is denied, also where it is denied only in part. */
export function deniedPatterns(grants: readonly Grant[], now: EpochMs, session?: SessionRef): readonly string[] {
  return unique(
    liveGrants(grants, now, session)
      .filter((grant) => grant.effect === "deny")
      .flatMap(patternsOf),
  )
}

/** One line of a permission list. */
export type Permission = {
  readonly grant: string
  readonly pattern: string
  readonly server: string
  /** Null: all tools of the server. */
  readonly tool: string | null
  readonly level: Level
  /** It covers its pattern only in part: by access or by conditions. */
  readonly partly: boolean
  readonly session?: SessionRef
  readonly expiresAt?: EpochMs
  readonly createdAt: EpochMs
  readonly lastUsedAt: EpochMs | null
}

/** Every grant that still counts, a line per pattern, by server and pattern. */
export function allPermissions(grants: readonly Grant[], now: EpochMs): readonly Permission[] {
  return grants
    .filter((grant) => isLive(grant, now))
    .flatMap((grant) => targetsOf(grant).map((target) => permissionOf(grant, target)))
    .sort((a, b) => compare(a.server, b.server) || compare(a.pattern, b.pattern) || a.createdAt - b.createdAt)
}

/** The grants that end with a session. */
export function sessionGrants(grants: readonly Grant[], session: SessionRef): readonly Grant[] {
  return grants.filter((grant) => {
    const { session: own } = scopeOf(grant)
    return own !== undefined && isSession(own, session)
  })
}

/** How much of the look-up's subject a grant covers. A grant for single tools does not cover the server as such. */
export function reachOf(
  grant: Remembered,
  { server, tool }: Pick<Lookup, "server" | "tool">,
): "whole" | "part" | "none" {
  if (!isServer(grant, server)) return "none"
  const covers = tool === null ? coversServer(grant) : coversTool(grant, tool)
  if (!covers) return "none"
  return isWhole(grant) ? "whole" : "part"
}

function coversTool({ breadth }: Remembered, tool: string): boolean {
  switch (breadth.kind) {
    case "tool":
      return breadth.tool === tool
    case "server":
      return true
    case "reads":
      return breadth.tools.includes(tool)
    case "pattern":
      return compileGlob(breadth.tool)(tool)
  }
}

function coversServer({ breadth }: Remembered): boolean {
  return breadth.kind === "server" || (breadth.kind === "pattern" && breadth.tool === "*")
}

/** A denying pattern's server is a glob; everything else names its server. */
function isServer({ effect, breadth }: Remembered, server: string): boolean {
  if (breadth.server === server) return true
  return breadth.kind === "pattern" && effect === "deny" && compileGlob(breadth.server)(server)
}

function isWhole({ breadth }: Remembered): boolean {
  switch (breadth.kind) {
    case "tool":
    case "pattern":
      return (breadth.when ?? []).length === 0
    case "server":
      return breadth.access === "all"
    case "reads":
      return true
  }
}

type PermissionTarget = Pick<Permission, "pattern" | "tool">

function targetsOf(grant: Remembered): readonly PermissionTarget[] {
  const { breadth, effect } = grant
  const { server } = breadth
  switch (breadth.kind) {
    case "tool":
      return [{ pattern: formatToolLiteral({ server, tool: breadth.tool }), tool: breadth.tool }]
    case "reads":
      return breadth.tools.map((tool) => ({ pattern: formatToolLiteral({ server, tool }), tool }))
    case "server": {
      const whole = { server: escapeGlob(server), kind: "tool", name: "*", whole: true } as const
      return [{ pattern: formatTargetPattern(whole), tool: null }]
    }
    case "pattern": {
      const glob = effect === "deny" ? server : escapeGlob(server)
      const pattern = { server: glob, kind: "tool", name: breadth.tool, whole: false } as const
      return [{ pattern: formatTargetPattern(pattern), tool: breadth.tool === "*" ? null : breadth.tool }]
    }
  }
}

function patternsOf(grant: Remembered): readonly string[] {
  return targetsOf(grant).map(({ pattern }) => pattern)
}

function permissionOf(grant: Grant, target: PermissionTarget): Permission {
  return {
    grant: grant.id,
    ...target,
    server: grant.breadth.server,
    level: levelOfGrant(grant),
    partly: !isWhole(grant),
    ...(grant.session === undefined ? {} : { session: grant.session }),
    ...(grant.until === undefined ? {} : { expiresAt: grant.until }),
    createdAt: grant.createdAt,
    lastUsedAt: grant.lastUsedAt,
  }
}

function liveGrants(grants: readonly Grant[], now: EpochMs, session: SessionRef | undefined): readonly Grant[] {
  return grants.filter((grant) => isLive(grant, now) && isFor(grant, session))
}

function isLive({ until, usesLeft }: Remembered, now: EpochMs): boolean {
  return (until === undefined || now < until) && (usesLeft === undefined || usesLeft > 0)
}

function isFor(grant: Remembered, session: SessionRef | undefined): boolean {
  if (session !== undefined) return serves(grant, { session })
  const { session: own, agent } = scopeOf(grant)
  return own === undefined && agent === undefined
}

function isSession(a: SessionRef, b: SessionRef): boolean {
  return a.principal === b.principal && a.id === b.id
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort()
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
