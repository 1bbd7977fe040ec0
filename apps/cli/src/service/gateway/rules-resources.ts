import { compileGlob, type Policy } from "@byleave/core"

/** Whether a rule hides, denies or asks about resources of this server. Rules for the server as a whole are not meant: they close all of it. */
export function rulesResources({ rules }: Policy, server: string): boolean {
  return rules.some(
    ({ effect, target }) => effect !== "allow" && target.kind === "resource" && compileGlob(target.server)(server),
  )
}
