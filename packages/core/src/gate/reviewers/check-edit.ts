import type { Approval } from "../../approval/approval.ts"
import type { CheckedArguments } from "../../approval/checked-arguments.ts"
import type { JsonObject } from "../../call/json/json.ts"
import type { GateContext } from "../context.ts"
import { approvedBefore } from "./approved-before.ts"
import { checkArguments } from "./check-arguments.ts"

/** The warnings of a held call with other arguments, as they would be kept if it were allowed with them. */
export async function checkEdit(context: GateContext, approval: Approval, args: JsonObject): Promise<CheckedArguments> {
  const snapshot = await context.snapshots.current()
  return checkArguments(context, snapshot, approval, args, await approvedBefore(context, approval, args, null))
}
