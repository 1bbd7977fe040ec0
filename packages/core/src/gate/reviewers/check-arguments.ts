import { type CheckedArguments, heldBytes } from "../../approval/checked-arguments.ts"
import type { Call } from "../../call/call.ts"
import type { JsonObject } from "../../call/json/json.ts"
import type { ApprovedBefore } from "../../policy/risks/risk.ts"
import { risksOf } from "../../policy/risks/risks.ts"
import { foldersIn } from "../../policy/server-folders.ts"
import type { GateContext } from "../context.ts"
import type { PolicySnapshot } from "../policy-snapshots.ts"

/** Finds the warnings about a waiting call and its edited arguments, for reviewers. They are computed once, since lists show them often. */
export function checkArguments(
  { options }: Pick<GateContext, "options">,
  snapshot: PolicySnapshot,
  call: Pick<Call, "tool" | "extraParams" | "droppedParams" | "listed" | "connection"> & {
    readonly args: JsonObject | null
  },
  edited: JsonObject | null,
  before: ApprovedBefore,
): CheckedArguments {
  const { tool, listed } = call
  const risks = risksOf({
    ...foldersIn(snapshot.policy, tool.server),
    hasRoots: call.connection?.hasRoots === true,
    ...(options.realPaths === undefined ? {} : { realPaths: options.realPaths }),
    ...options.riskContext?.(tool.server),
    before,
    tool,
    args: edited ?? call.args ?? {},
    ...(call.extraParams === undefined ? {} : { extraParams: call.extraParams }),
    definition: snapshot.facts(tool, listed)?.definition ?? null,
    toolNames: () => [...snapshot.factsOfServer(tool.server)].map(([name]) => name),
  })
  return { bytes: heldBytes(call, edited), risks }
}
