/** Permissions and rules, by the server they are about. */
import type { GrantView, PolicyView } from "@byleave/api"
import { literalOf, parseTargetPattern } from "@byleave/core"
import type { ShownEffect } from "./effect-words.ts"

export type RuleView = PolicyView["rules"][number]

export type ServerPermissions = {
  /** Null: what is about several servers, by a pattern. */
  readonly server: string | null
  readonly grants: readonly GrantView[]
  readonly rules: readonly RuleView[]
}

type All = {
  /** Ids of the servers behind the gate: each has its place, also when nothing is said of it. */
  readonly servers: readonly string[]
  readonly grants: readonly GrantView[]
  readonly rules: readonly RuleView[]
}

/** The servers behind the gate in their order, then others that are spoken of, then what is about several. */
export function permissionsByServer({ servers, grants, rules }: All): readonly ServerPermissions[] {
  const byServer = new Map<string | null, { grants: GrantView[]; rules: RuleView[] }>()
  const placeOf = (server: string | null) => {
    const known = byServer.get(server) ?? { grants: [], rules: [] }
    byServer.set(server, known)
    return known
  }
  for (const server of servers) placeOf(server)
  for (const grant of grants) placeOf(serverOfGrant(grant)).grants.push(grant)
  for (const rule of rules) placeOf(serverOfRule(rule)).rules.push(rule)
  const several = byServer.get(null)
  byServer.delete(null)
  const groups = several === undefined ? [...byServer] : [...byServer, [null, several] as const]
  return groups.map(([server, said]) => ({ server, grants: newestFirst(said.grants), rules: said.rules }))
}

function newestFirst(grants: readonly GrantView[]): readonly GrantView[] {
  return grants.toSorted((a, b) => b.createdAt - a.createdAt)
}

/** Grants name their server, except a denying pattern, whose server is a glob. */
function serverOfGrant({ effect, breadth }: Pick<GrantView, "effect" | "breadth">): string | null {
  if (breadth.kind !== "pattern" || effect === "allow") return breadth.server
  return literalOf(breadth.server)
}

/** A rule's text begins with its effect and its pattern in quotes. */
export function serverOfRule({ text }: Pick<RuleView, "text">): string | null {
  const pattern = /^\w+: "(.*?)"(?= |$)/s.exec(text)?.[1]
  const parsed = pattern === undefined ? null : parseTargetPattern(pattern)
  return parsed?.ok === true ? literalOf(parsed.pattern.server) : null
}

export type PermissionFilter = {
  /** Empty: every server. */
  readonly server: string
  readonly text: string
  readonly effect: ShownEffect | ""
}

export const noFilter: PermissionFilter = { server: "", text: "", effect: "" }

/** The permissions that pass the filter. Servers of which none passes are left out, unless there is no filter. */
export function filtered(groups: readonly ServerPermissions[], filter: PermissionFilter): readonly ServerPermissions[] {
  const wants = filter.text.trim().toLowerCase()
  const hasEffect = ({ effect }: { readonly effect: ShownEffect }) => filter.effect === "" || filter.effect === effect
  const says = (...texts: readonly (string | null | undefined)[]) =>
    wants === "" || texts.some((text) => text?.toLowerCase().includes(wants) === true)
  return groups
    .filter(({ server }) => filter.server === "" || server === null || server === filter.server)
    .map((group) => ({
      ...group,
      grants: group.grants.filter((grant) => hasEffect(grant) && says(group.server, ...textsOfGrant(grant))),
      rules: group.rules.filter(
        (rule) => hasEffect(rule) && says(group.server, rule.text, rule.words, rule.reason, rule.where),
      ),
    }))
    .filter(({ grants, rules }) => (wants === "" && filter.effect === "") || grants.length + rules.length > 0)
}

function textsOfGrant(grant: GrantView): readonly (string | undefined)[] {
  return [grant.words, grant.text, grant.createdBy, grant.reason, grant.session?.principal, grant.session?.id]
}

type SessionGrants = { readonly principal: string; readonly id: string; readonly grants: readonly GrantView[] }

/** Permissions that end with their session, by session, for clearing them before. */
export function grantsBySession(grants: readonly GrantView[]): readonly SessionGrants[] {
  const bySession = new Map<string, { principal: string; id: string; grants: GrantView[] }>()
  for (const grant of grants) {
    if (grant.session === undefined) continue
    const key = JSON.stringify([grant.session.principal, grant.session.id])
    const known = bySession.get(key) ?? { ...grant.session, grants: [] }
    known.grants.push(grant)
    bySession.set(key, known)
  }
  return [...bySession.values()]
}
