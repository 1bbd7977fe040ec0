/**
 * A policy in which all that reviewers said besides the rules is rules, for languages that know rules alone.
 *
 * I1. What is in quarantine is hidden, a rejected definition denied, and one that nobody has accepted asked about, whatever the rules and saved permissions allow.
 */
import { escapeGlob, type Pin, type Policy, programPin, type Remembered, type Rule } from "@byleave/core"
import type { RuleLoss } from "../language.ts"
import { withGrants } from "./with-grants.ts"

/** A pin, or a view of one. */
type StandingPin = Pick<Pin, "server" | "tool"> & {
  readonly of?: "server" | "tool"
  readonly proposed: { readonly rejected?: object | null } | null
  readonly quarantined?: object | null
}

export type ReviewersAnswers = { readonly grants: readonly Remembered[]; readonly pins: readonly StandingPin[] }

export function policyInForce(
  policy: Policy,
  { grants, pins }: ReviewersAnswers,
): { readonly policy: Policy; readonly losses: readonly RuleLoss[] } {
  const granted = withGrants(policy, grants)
  const rules = [...granted.policy.rules, ...pins.flatMap((pin) => ruleOf(pin) ?? [])]
  return { ...granted, policy: { ...granted.policy, rules } }
}

function ruleOf(pin: StandingPin): Rule | null {
  const effect = effectOf(pin)
  if (effect === null) return null
  const { server, tool, of } = pin
  const name = of === "server" || tool === programPin ? "*" : escapeGlob(tool)
  const target = { server: escapeGlob(server), kind: "tool", name, whole: false } as const
  return { id: `definition:${server}(${name})`, effect, target, origin: { where: "definitions" } }
}

function effectOf({ proposed, quarantined }: StandingPin): "hide" | "deny" | "ask" | null {
  if ((quarantined ?? null) !== null) return "hide"
  if (proposed === null) return null
  return (proposed.rejected ?? null) === null ? "ask" : "deny"
}
