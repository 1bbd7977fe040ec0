import { statSync } from "node:fs"
import { editsOf, type SetupPlan } from "./plan-setup.ts"

export type SetupWarnings = readonly string[]

/** Files that hold a token now, and that others on this machine may read. */
export function applyWarnings(plan: SetupPlan): SetupWarnings {
  const holders = plan.files.filter(
    ({ found, servers }) => found.file.root !== "project" && servers.some(({ becomes }) => becomes === "addressed"),
  )
  const paths = new Set(holders.map(({ found }) => found.path))
  return editsOf(plan)
    .filter(({ path }) => paths.has(path) && (statSync(path).mode & 0o044) !== 0)
    .map(
      ({ path }) =>
        `${path} holds a token now, and others on this machine can read it. Run: chmod 600 ${JSON.stringify(path)}`,
    )
}
