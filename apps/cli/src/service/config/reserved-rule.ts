import type { Policy, Rule, ToolDefinition } from "@byleave/core"
import type { InForce } from "./plan-change.ts"

/** Byleave's own server id and tool: a change of configuration waits as a call of it. No configured server may be called so. */
export const ownServer = "byleave"
export const changeTool = "change_policy"

/** Asked each time, by every policy, for as long as it takes. */
const reservedRule: Rule = {
  id: "byleave.change_policy",
  effect: "ask",
  target: { server: ownServer, kind: "tool", name: changeTool, whole: false },
  remember: "never",
  wait: null,
  reason: "Changes that allow more, or that change how a server is started or a model is reached, need approval.",
  origin: { where: "Byleave itself" },
}

const held = new WeakMap<Policy, Policy>()

/** A policy as the gate holds it; the same for the same policy, so that it is compiled once. */
export function withReservedRule(policy: Policy): Policy {
  const known = held.get(policy)
  if (known !== undefined) return known
  const whole = { ...policy, rules: [...policy.rules, reservedRule] }
  held.set(policy, whole)
  return whole
}

/** The same with the members of groups: both change in one commit. */
export function policyAtGate({ policy, settings }: Pick<InForce, "policy" | "settings">): Policy {
  return { ...withReservedRule(policy), members: settings.groups }
}

const list = { type: "array", items: { type: "string" } } as const

/** How reviewers see it. */
export const changeDefinition: ToolDefinition = {
  name: changeTool,
  description:
    "Applies the rest of an edited configuration: what it allows in addition, and servers it starts differently.",
  inputSchema: {
    type: "object",
    properties: {
      file: { type: "string" },
      version: { type: "string" },
      tightens: list,
      widens: list,
      servers: list,
    },
    required: ["file", "version", "tightens", "widens", "servers"],
    additionalProperties: false,
  },
}
