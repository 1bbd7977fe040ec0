/**
 * The part of a new policy that may apply at once, while no person has accepted yet what it widens: the policy in force, and
 * of the new one everything that `comparePolicies` calls tightening.
 *
 * So nothing is answered more weakly than by the policy in force; a new policy that widens nothing is taken as it is; and of one
 * that only widens nothing is taken.
 *
 * I1. Nothing is answered more weakly than by the policy in force.
 * I2. Of the new rules only those are taken whose adding tightens, and of the old ones none is dropped that restricts.
 * I3. What only widens waits whole; what only tightens holds whole.
 */

import { conditionsOf, isUnconditional } from "../decide/plan.ts"
import type { Limits, Policy, Rule, ServerPolicy, TargetPattern } from "../rules/rule.ts"
import { ruleCovers } from "../rules/rule-covers.ts"
import { formatTargetPattern } from "../rules/target-pattern.ts"
import { serverIn } from "../server-policy.ts"
import { addingTightens, compareBesidesRules, comparePolicies, notIn, removingTightens } from "./compare-policies.ts"

/** Its version names both policies where it is neither of them. */
export function tightenedPolicy(current: Policy, next: Policy): Policy {
  const { tightens, widens } = comparePolicies(current, next)
  if (widens.length === 0) return next
  if (tightens.length === 0) return current
  const version = `${current.version}+${next.version}`
  const start: Policy = { ...current, version, rules: tightenedRules(current, next) }
  return stepsTo(next, current).reduce((policy, step) => {
    const stepped = step(policy)
    return compareBesidesRules(current, stepped).every((change) => change.tightens) ? stepped : policy
  }, start)
}

function tightenedRules(current: Policy, next: Policy): readonly Rule[] {
  const fresh = notIn(next.rules, current.rules)
  const gone = new Set(notIn(current.rules, next.rules))
  const kept = current.rules.filter((rule) => !gone.has(rule) || !removingTightens(rule) || isWidened(rule, fresh))
  const added = fresh.filter((rule) => addingTightens(rule, current))
  // An id is told apart within its policy only.
  return [...kept, ...added.map((rule) => ({ ...rule, id: `new ${rule.id}` }))]
}

/** An allow that is gone because a wider one is to come would be allowed by both: taking it away helps nobody. */
function isWidened(allow: Rule, fresh: readonly Rule[]): boolean {
  return fresh.some(
    (rule) => rule.effect === "allow" && ruleCovers(rule, allow) && (isUnconditional(rule) || hasSameWhen(rule, allow)),
  )
}

function hasSameWhen(a: Rule, b: Rule): boolean {
  return JSON.stringify(conditionsOf(a)) === JSON.stringify(conditionsOf(b))
}

/** Takes one thing of the new policy over into another; what may be taken alone is a step of its own. */
type Step = (policy: Policy) => Policy

function stepsTo(next: Policy, current: Policy): readonly Step[] {
  return [
    (policy) => ({ ...policy, default: next.default }),
    (policy) => ({ ...policy, observeAll: next.observeAll }),
    (policy) => (next.unattended === true ? { ...policy, unattended: true } : policy),
    (policy) => ({ ...policy, selfApproval: next.selfApproval }),
    (policy) => ({ ...policy, unknownParams: next.unknownParams }),
    (policy) => ({ ...policy, methods: policy.methods.filter((method) => isNamedIn(next, method)) }),
    ...next.forbiddenModes.map((mode): Step => {
      return (policy) => ({ ...policy, forbiddenModes: [...new Set([...policy.forbiddenModes, mode])] })
    }),
    ...limitNames.map((name): Step => {
      // A limit that is gone would widen, and is not even tried.
      const limit = next.limits[name]
      return (policy) => (limit === undefined ? policy : { ...policy, limits: { ...policy.limits, [name]: limit } })
    }),
    ...serverIds(current, next).flatMap((id) => serverSteps(id, next)),
  ]
}

function isNamedIn({ methods }: Policy, method: TargetPattern): boolean {
  const text = formatTargetPattern(method)
  return methods.some((named) => formatTargetPattern(named) === text)
}

/** Each of them is here, or this does not compile. */
const everyLimit = {
  autoAllowedPerSession: true,
  autoAllowedPerDay: true,
  autoAllowedPerMinute: true,
  coolDown: true,
  bulk: true,
  waitingPerSession: true,
  waitingPerPrincipal: true,
  waitingInAll: true,
  heldBytesPerPrincipal: true,
  heldBytesInAll: true,
  denials: true,
} as const satisfies Record<keyof Limits, true>
const limitNames = Object.keys(everyLimit) as ReadonlyArray<keyof Limits>

function serverIds(...policies: readonly Policy[]): readonly string[] {
  return [...new Set(policies.flatMap(({ servers }) => servers.map(({ id }) => id)))]
}

function serverSteps(id: string, next: Policy): readonly Step[] {
  const { pin, newTools = "hold", offer } = serverIn(next, id)
  return [
    (policy) => withServer(policy, { ...serverIn(policy, id), pin }),
    (policy) => {
      const server = serverIn(policy, id)
      return (server.newTools ?? "hold") === newTools ? policy : withServer(policy, { ...server, newTools })
    },
    (policy) => (offer === undefined ? policy : withServer(policy, { ...serverIn(policy, id), offer })),
  ]
}

function withServer(policy: Policy, server: ServerPolicy): Policy {
  const isKnown = policy.servers.some(({ id }) => id === server.id)
  const servers = isKnown
    ? policy.servers.map((known) => (known.id === server.id ? server : known))
    : [...policy.servers, server]
  return { ...policy, servers }
}
