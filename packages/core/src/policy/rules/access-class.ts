import type { ToolFacts } from "../decide/decision.ts"
import type { AccessBreadth, Effect } from "./rule.ts"

/**
 * The access of a tool as far as policy may believe it. `label`: a read nobody vouches for; `weak-write`: a write
 * nobody vouches for; `unknown`: a tool never seen, or something that is not a tool.
 */
export const accessClasses = ["read", "write", "label", "weak-write", "unknown"] as const
export type AccessClass = (typeof accessClasses)[number]

export function accessClassOf(tool: Pick<ToolFacts, "access" | "accessCounts"> | undefined): AccessClass {
  if (tool === undefined) return "unknown"
  if (tool.accessCounts) return tool.access
  return tool.access === "read" ? "label" : "weak-write"
}

/** Whether limits on writes apply: everything does that is not known to read. */
export function mayWrite(tool: ToolFacts | undefined): boolean {
  return accessClassOf(tool) !== "read"
}

// An allow needs certainty; a restriction applies to every tool that may have that access.
const allowing = {
  read: ["read"],
  write: ["write", "weak-write"],
  all: accessClasses,
} as const satisfies Record<AccessBreadth, readonly AccessClass[]>

const restricting = {
  read: ["read", "label", "weak-write", "unknown"],
  write: ["write", "label", "weak-write", "unknown"],
  all: accessClasses,
} as const satisfies Record<AccessBreadth, readonly AccessClass[]>

/** The classes of tools that a rule or grant by this access applies to. */
export function classesOf(effect: Effect, access: AccessBreadth | undefined): readonly AccessClass[] {
  return effect === "allow" ? allowing[access ?? "all"] : restricting[access ?? "all"]
}
