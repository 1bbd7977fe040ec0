import { type RefusedRequest, refuse } from "../../refused.ts"
import type { ApiService } from "../../service.ts"

/** Every server where none is named. A name that no server has is a mistake, and told. */
export function serversIn(
  service: ApiService,
  named: readonly string[] | undefined,
): readonly string[] | RefusedRequest {
  const known = service.servers().map(({ id }) => id)
  if (named === undefined) return known
  const unknown = named.filter((id) => !known.includes(id))
  if (unknown.length === 0) return [...new Set(named)]
  const there = known.length === 0 ? "There is none." : `There are: ${known.join(", ")}.`
  return refuse("bad-request", `No server is called ${unknown.join(", ")}. ${there}`)
}
