/** The answer that people have given to one tool as a whole, for every agent, and the answers that hold only under conditions. */
import type { GrantView, PolicyView } from "@byleave/api"
import { compileGlob, parseTargetPattern } from "@byleave/core"
import { effectWords, type ShownEffect } from "./effect-words.ts"

/** `policy`: nothing is saved of it, so that rules and defaults decide. */
export type ToolAnswer = "allow" | "policy" | "deny"

type ToolGrants = {
  /** Said of exactly this tool, for every agent, without an end: what the switch sets. */
  readonly whole: readonly GrantView[]
  /** Whatever else is remembered that can be about it: for some arguments, some agents, some time. */
  readonly partly: readonly GrantView[]
}

export function grantsOfTool(grants: readonly GrantView[], server: string, tool: string): ToolGrants {
  const about = grants.filter((grant) => isAboutTool(grant, server, tool))
  return {
    whole: about.filter(isWhole),
    partly: about.filter((grant) => !isWhole(grant) && isConditional(grant)),
  }
}

/** A no wins. */
export function answerOf({ whole }: ToolGrants): ToolAnswer {
  if (whole.some(({ effect }) => effect === "deny")) return "deny"
  return whole.some(({ effect }) => effect === "allow") ? "allow" : "policy"
}

/** The words of the choice that leaves a tool to the policy. What the policy says is known only where nothing saved stands before it. */
export function policyLabel(current: ToolAnswer, effect: ShownEffect): string {
  return current === "policy" ? `By policy: ${effectWords[effect].now.toLowerCase()}` : "By policy"
}

/** The permissions to revoke, and the one to add if any, for the tool to have this answer. */
export function changeTo(wanted: ToolAnswer, { whole }: ToolGrants) {
  return {
    forget: whole.filter(({ effect }) => effect !== wanted),
    add: wanted !== "policy" && !whole.some(({ effect }) => effect === wanted) ? wanted : null,
  }
}

/** Rules with conditions that name this tool. */
export function conditionalRules(policy: PolicyView, server: string, tool: string): PolicyView["rules"] {
  return policy.rules.filter(({ text }) => {
    const target = /^\w+: ("(?:[^"\\]|\\.)*")(.*)$/.exec(text)
    if (target === null || !/ when /.test(target[2] ?? "")) return false
    const parsed = parseTargetPattern(JSON.parse(target[1] ?? '""') as string)
    if (!parsed.ok || parsed.pattern.kind !== "tool") return false
    return compileGlob(parsed.pattern.server)(server) && compileGlob(parsed.pattern.name)(tool)
  })
}

function isAboutTool({ breadth }: GrantView, server: string, tool: string): boolean {
  if (breadth.server !== server) return false
  if (breadth.kind === "tool") return breadth.tool === tool
  return breadth.kind === "pattern" && compileGlob(breadth.tool)(tool)
}

function isWhole({ breadth, session, agent, until, usesLeft }: GrantView): boolean {
  if (breadth.kind !== "tool" || (breadth.when ?? []).length > 0) return false
  return session === undefined && agent === undefined && until === undefined && usesLeft === undefined
}

function isConditional({ breadth, session, agent, until, usesLeft }: GrantView): boolean {
  const when = "when" in breadth ? (breadth.when ?? []) : []
  return when.length > 0 || [session, agent, until, usesLeft].some((limit) => limit !== undefined)
}
