import type { Mode } from "./rule.ts"

/** The kinds of calls a session runs without approval: tools that nobody allowed, paths and addresses outside of those that were allowed. */
export const autonomyKinds = ["tools", "paths", "urls"] as const
export type AutonomyKind = (typeof autonomyKinds)[number]

const kindsOf: ReadonlyMap<Mode, readonly AutonomyKind[]> = new Map<Mode, readonly AutonomyKind[]>([
  ["autonomous", autonomyKinds],
  ["autonomous-tools", ["tools"]],
  ["autonomous-paths", ["paths"]],
  ["autonomous-urls", ["urls"]],
  ["autonomous-tools-paths", ["tools", "paths"]],
  ["autonomous-tools-urls", ["tools", "urls"]],
  ["autonomous-paths-urls", ["paths", "urls"]],
])

/** Every mode there is. */
export const allModes: readonly Mode[] = ["ask", ...kindsOf.keys(), "unattended", "observe"]

/** The kinds that a mode runs without approval; none unless it is autonomous, wholly or in part. */
export function autonomyOf(mode: Mode): readonly AutonomyKind[] {
  return kindsOf.get(mode) ?? []
}

/** The mode in which exactly these kinds run without approval. */
export function autonomousMode(kinds: readonly AutonomyKind[]): Mode {
  const wanted = autonomyKinds.filter((kind) => kinds.includes(kind)).join()
  return [...kindsOf].find(([, each]) => each.join() === wanted)?.[0] ?? "ask"
}

/** The mode by which policy names it: a session that is autonomous in part is autonomous. */
export function policyMode(mode: Mode): Mode {
  return kindsOf.has(mode) ? "autonomous" : mode
}
