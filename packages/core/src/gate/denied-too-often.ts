import type { Approval } from "../approval/approval.ts"
import type { Refusal } from "../approval/refusal.ts"
import { type Call, sessionKey, toolKey, toolName } from "../call/call.ts"
import { showText } from "../call/show-text.ts"
import { changeSession } from "./change-session.ts"
import type { GateContext } from "./context.ts"
import type { Standing } from "./standing.ts"

/** A tool that was denied too often in this session is refused there until a person lifts that. */
export function refusedTool(standing: Standing, call: Pick<Call, "kind" | "tool" | "session">): Refusal | null {
  if ((call.kind ?? "tool") !== "tool") return null
  const record = standing.session(sessionKey(call.session))
  if (record === undefined || record.refused.length === 0 || !record.refused.includes(toolKey(call.tool))) return null
  const name = showText(toolName(call.tool))
  const reason = `${name} was denied too often in this session, so it is refused until a person lifts that. Do not try it another way.`
  return { by: "limit", code: "denied-too-often", reason }
}

/** After a reviewer's denial: whether it was one too many. */
export async function refuseIfDeniedTooOften(context: GateContext, denied: Approval): Promise<void> {
  if (denied.kind !== "tool") return
  const { policy } = await context.standings.current()
  const { count, withinMs } = policy.limits.denials
  const { tool, session } = denied
  const key = toolKey(tool)
  const record = await context.store.session(session)
  const lifted = record?.lifted.find((entry) => entry.tool === key)?.at ?? -1
  const since = Math.max(context.now() - withinMs, lifted + 1)
  const here = { principal: session.principal, session: session.id, ...tool }
  const recent = await context.store.approvals({ ...here, statuses: ["denied"], settledSince: since, limit: 1_000 })
  const byReviewers = recent.filter((approval) => approval.status === "denied" && approval.by !== null)
  if (byReviewers.length < count) return
  await changeSession(context, session, (before) =>
    before.refused.includes(key) ? null : { next: { ...before, refused: [...before.refused, key], endedAt: null } },
  )
}
