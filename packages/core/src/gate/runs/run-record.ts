import type { AgentRunBody } from "../../audit/audit-bodies.ts"
import type { AgentRunMoment } from "../../audit/drafts.ts"
import type { AuditDraft } from "../../audit/record.ts"
import type { AgentRun } from "../../run/agent-run.ts"
import type { GateContext } from "../context.ts"

/** The audit record of something that happened to a run. */
export function runRecord(
  context: GateContext,
  moment: AgentRunMoment,
  run: AgentRun,
  by: string | null,
  said: Pick<AgentRunBody, "requirements" | "detail" | "state"> = {},
): AuditDraft {
  const { id, principal, title, setup, legs, updatedAt } = run
  const body = { run: id, principal, title, model: setup.model, leg: legs, by, ...said }
  return context.recorder.agentRun(moment, body, updatedAt)
}
