/**
 * Remembered answers, ready to be looked up per tool and session.
 *
 * I1. A session's grant is found in that session alone: principal and id both. An agent's is found in the sessions of that agent alone, and so is a
 *     denial for a session that is only its principal. One for the runs of a starter is found in those alone.
 * I2. A grant that is used up is never found; one whose time has come never counts.
 * I3. An allow is bound to one server by name; a denial reaches at least as far as its text can be read.
 */

import { assertNever } from "../../call/assert-never.ts"
import { compileConditions } from "../conditions/condition.ts"
import { compileGlob, escapeGlob, globProblem } from "../conditions/glob.ts"
import { type AccessClass, classesOf } from "../rules/access-class.ts"
import { type CallOf, type Remembered, scopeOf, serves } from "../rules/remembered.ts"
import type { Rule, TargetPattern } from "../rules/rule.ts"
import { boundedCache } from "./bounded-cache.ts"
import type { Candidate } from "./candidates.ts"
import type { CompiledPolicy } from "./compile-policy.ts"
import type { Decision, Target } from "./decision.ts"
import { childMap, pushTo } from "./map-of-lists.ts"
import { plainDecision } from "./shared-decisions.ts"

/** A grant about one tool. */
export type PlannedGrant = Pick<Candidate<unknown>, "judge"> & {
  readonly grant: Remembered
  readonly until: number
  readonly access: readonly AccessClass[]
  readonly decision: Decision
}

export type GrantPlan = { readonly denies: readonly PlannedGrant[]; readonly allows: readonly PlannedGrant[] }

export type GrantIndex = {
  readonly grants: readonly Remembered[]
  /** The grants that can answer here; time, access and conditions are still to be judged. */
  readonly planFor: (policy: CompiledPolicy, target: Target, call: CallOf) => GrantPlan
}

type Shelf = {
  readonly anyone: GrantPlan
  readonly agents: ReadonlyMap<string, GrantPlan>
  readonly sessions: ReadonlyMap<string, ReadonlyMap<string, GrantPlan>>
  /** Those that count in the runs of a starter; null: none is for one starter alone. */
  readonly inRun: ((call: CallOf) => GrantPlan) | null
}

export function indexGrants(grants: readonly Remembered[]): GrantIndex {
  const usable = grants.filter((grant) => grant.usesLeft === undefined || grant.usesLeft > 0)
  const byServer = groupByServer(usable)
  let cachedFor: CompiledPolicy | null = null
  let shelves = boundedCache<Shelf>()

  function shelfFor(policy: CompiledPolicy, target: Target): Shelf {
    // Conditions are judged as the policy in force says; another policy needs them compiled anew.
    if (cachedFor !== policy) {
      shelves = boundedCache()
      cachedFor = policy
    }
    const known = shelves.get(target.kind, target.server, target.name)
    if (known !== undefined) return known
    const candidates = [...(byServer.named.get(target.server) ?? []), ...byServer.patterns]
    const shelf = fillShelf(
      candidates.filter((grant) => isAbout(grant, target)),
      policy,
      target.server,
    )
    shelves.put(target.kind, target.server, target.name, shelf)
    return shelf
  }

  return {
    grants,
    planFor: (policy, target, call) => {
      if (usable.length === 0) return emptyPlan
      const shelf = shelfFor(policy, target)
      if (shelf.inRun !== null && call.starter !== undefined) return shelf.inRun(call)
      if (shelf.sessions.size === 0 && shelf.agents.size === 0) return shelf.anyone
      const { principal, id } = call.session
      return shelf.sessions.get(principal)?.get(id) ?? shelf.agents.get(principal) ?? shelf.anyone
    },
  }
}

/** The same, with one more use of a permission that is used up. */
export function alsoUsable(index: GrantIndex, used: Remembered): GrantIndex {
  const own = indexGrants([{ ...used, usesLeft: 1 }])
  return {
    ...index,
    planFor: (...asked) => {
      const plan = index.planFor(...asked)
      return { denies: plan.denies, allows: [...plan.allows, ...own.planFor(...asked).allows] }
    },
  }
}

/** Whether a grant is about a target: session, time, access and conditions aside. */
export function isAbout(grant: Remembered, target: Target): boolean {
  const { breadth, effect } = grant
  // Grants name tools; but to deny all of a server is to deny all of it.
  if (target.kind !== "tool" && !(effect === "deny" && breadth.kind === "server" && breadth.access === "all"))
    return false
  switch (breadth.kind) {
    case "tool":
      return breadth.server === target.server && breadth.tool === target.name
    case "server":
      return breadth.server === target.server
    case "reads":
      return breadth.server === target.server && breadth.tools.includes(target.name)
    case "pattern":
      // A denial that cannot be matched with reaches everything, an allow nothing.
      if (globProblem(breadth.server) !== null || globProblem(breadth.tool) !== null) return effect === "deny"
      return serverMatches(grant, target.server) && compileGlob(breadth.tool)(target.name)
    default:
      return assertNever(breadth)
  }
}

/** Which classes of access a grant answers for. */
export function accessOfGrant(grant: Remembered): readonly AccessClass[] {
  const { breadth, effect } = grant
  if (breadth.kind === "server") return classesOf(effect, breadth.access)
  // The list was frozen as reads: a tool since found to write has outgrown it.
  if (breadth.kind === "reads" && effect === "allow") return frozenReads
  return classesOf(effect, "all")
}

const frozenReads: readonly AccessClass[] = ["read", "label"]

/** A grant as the rule it amounts to, for where only rules have a name. */
export function ruleOfGrant(grant: Remembered): Rule {
  const { breadth } = grant
  const when = "when" in breadth && breadth.when !== undefined ? { when: breadth.when } : {}
  const access = breadth.kind === "server" ? { access: breadth.access } : {}
  return {
    id: `grant:${grant.id}`,
    effect: grant.effect,
    target: patternOfGrant(grant),
    origin: { where: "a permission" },
    ...access,
    ...when,
  }
}

function patternOfGrant(grant: Pick<Remembered, "effect" | "breadth">): TargetPattern {
  const { breadth } = grant
  const server = breadth.kind === "pattern" && grant.effect === "deny" ? breadth.server : escapeGlob(breadth.server)
  switch (breadth.kind) {
    case "tool":
      return { server, kind: "tool", name: escapeGlob(breadth.tool), whole: false }
    case "pattern":
      return { server, kind: "tool", name: breadth.tool, whole: false }
    case "server":
    case "reads":
      return { server, kind: "tool", name: "*", whole: true }
    default:
      return assertNever(breadth)
  }
}

function serverMatches(grant: Remembered, server: string): boolean {
  if (grant.breadth.server === server) return true
  return grant.effect === "deny" && compileGlob(grant.breadth.server)(server)
}

function groupByServer(grants: readonly Remembered[]) {
  const named = new Map<string, Remembered[]>()
  const patterns: Remembered[] = []
  for (const grant of grants) {
    if (grant.breadth.kind === "pattern" && grant.effect === "deny") patterns.push(grant)
    else pushTo(named, grant.breadth.server, grant)
  }
  return { named, patterns }
}

function fillShelf(grants: readonly Remembered[], policy: CompiledPolicy, server: string): Shelf {
  const all = grants.map((grant) => {
    const { session, agent, starter } = scopeOf(grant)
    return { grant, session, agent, starter, plan: planGrant(grant, policy, server) }
  })
  const planned = all.filter(({ starter }) => starter === undefined)
  const common = planned.filter(({ session, agent }) => session === undefined && agent === undefined)
  const forAgent = (principal: string) => [...common, ...planned.filter(({ agent }) => agent === principal)]
  const plansOf = (scoped: typeof planned) => planOf(scoped.map(({ plan }) => plan))
  const agents = new Map<string, GrantPlan>()
  for (const { agent } of planned) if (agent !== undefined) agents.set(agent, plansOf(forAgent(agent)))
  const sessions = new Map<string, Map<string, GrantPlan>>()
  for (const { session } of planned) {
    if (session === undefined) continue
    const own = planned.filter((each) => isSame(each.session, session))
    childMap(sessions, session.principal).set(session.id, plansOf([...forAgent(session.principal), ...own]))
  }
  const inRun = (call: CallOf) => plansOf(all.filter(({ grant }) => serves(grant, call)))
  return { anyone: plansOf(common), agents, sessions, inRun: planned.length === all.length ? null : inRun }
}

function isSame(a: Remembered["session"], b: NonNullable<Remembered["session"]>): boolean {
  return a?.principal === b.principal && a.id === b.id
}

function planGrant(grant: Remembered, policy: CompiledPolicy, server: string): PlannedGrant {
  const when = "when" in grant.breadth ? (grant.breadth.when ?? []) : []
  return {
    grant,
    until: grant.until ?? Number.POSITIVE_INFINITY,
    access: accessOfGrant(grant),
    judge: when.length === 0 ? null : compileConditions(when, grant.effect, policy.contextOf(server)),
    decision: plainDecision(grant.effect, { kind: "grant", grant }, policy.policy.wait),
  }
}

/** Of several allowing grants the first answers: those that cost nothing come first, so that counted uses last. */
function planOf(planned: readonly PlannedGrant[]): GrantPlan {
  const cost = ({ grant, judge }: PlannedGrant) => (grant.usesLeft === undefined ? 0 : 2) + (judge === null ? 0 : 1)
  const inOrder = planned.toSorted((a, b) => cost(a) - cost(b) || (a.grant.id < b.grant.id ? -1 : 1))
  return {
    denies: inOrder.filter(({ grant }) => grant.effect === "deny"),
    allows: inOrder.filter(({ grant }) => grant.effect === "allow"),
  }
}

const emptyPlan: GrantPlan = { denies: [], allows: [] }
