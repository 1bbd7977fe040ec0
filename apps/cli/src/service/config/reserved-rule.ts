import { type Policy, type Rule, type ToolDefinition, withFoldersOf } from "@byleave/core"
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

const atGate = new WeakMap<InForce, Policy>()

/**
 * The policy as the gate holds it; the same for the same configuration, so that it is compiled once. Where servers work is told by the servers that run, and by
 * nothing else: of one whose start waits, nobody knows. Members of groups change in the same commit.
 */
export function policyAtGate(inForce: InForce): Policy {
  const known = atGate.get(inForce)
  if (known !== undefined) return known
  const { policy, servers, settings } = inForce
  const whole = withFoldersOf(
    policy,
    servers.flatMap(({ config }) => config ?? []),
  )
  const held = { ...whole, rules: [...whole.rules, reservedRule], members: settings.groups }
  atGate.set(inForce, held)
  return held
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
