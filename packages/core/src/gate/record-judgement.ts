import type { AuditType } from "../audit/record.ts"
import type { Effect } from "../policy/rules/rule.ts"
import type { GateContext } from "./context.ts"
import type { Change, CommitResult } from "./store.ts"

const effects: Partial<Record<AuditType, Effect>> = {
  "call.hidden": "hide",
  "call.denied": "deny",
  "call.asked": "ask",
  "call.allowed": "allow",
}

/** Commits a change whose first record is a judgement, and tells of the decision once it stands. */
export function recordJudgement({ store, options }: GateContext, change: Change): Promise<CommitResult> {
  return store.commit(change).then((committed) => {
    const effect = change.records[0] && effects[change.records[0].type]
    if (committed.ok && effect !== undefined) options.onJudged?.(effect)
    return committed
  })
}
