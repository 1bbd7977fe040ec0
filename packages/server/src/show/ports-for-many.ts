import type { PolicyPorts } from "@byleave/core"
import { sharePlaces } from "@byleave/core/compare"
import type { ApiService } from "../service.ts"

/** For judging many calls by many rules: no path is followed again for each. */
export function portsForMany({ policyPorts }: Pick<ApiService, "policyPorts">): { readonly policyPorts?: PolicyPorts } {
  if (policyPorts?.realPaths === undefined) return policyPorts === undefined ? {} : { policyPorts }
  const { realPaths } = sharePlaces(policyPorts.realPaths)
  return { policyPorts: { ...policyPorts, realPaths } }
}
