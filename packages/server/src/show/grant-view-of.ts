import type { GrantView } from "@byleave/api"
import { describeRemembered, type Grant, levelOfGrant } from "@byleave/core"

export function grantViewOf(grant: Grant, now: number): GrantView {
  return { ...grant, version: grant.version ?? 1, ...describeRemembered(grant, { now }), level: levelOfGrant(grant) }
}
