/**
 * Answers that a page sends to the calls of a run.
 *
 * I1. An answer goes to a call of this run that still waits, and to nothing else.
 * I2. What was answered elsewhere stays as it was answered.
 */
import type { AgentRun, AnswerRefusal } from "@byleave/core"
import type { Waiting } from "../runs.ts"
import { requestsIn } from "./follow-run.ts"
import type { FrontCaller, FrontPorts } from "./front-ports.ts"
import { approvalsOfRun } from "./run-approvals.ts"
import { fromTurns } from "./run-turns.ts"
import type { UnansweredRequest } from "./ui-message-stream.ts"
import type { RequirementDecision } from "./ui-messages.ts"

/** Gives the answers that do not count, with what must happen instead. */
export async function conveyDecisions(
  ports: FrontPorts,
  run: AgentRun,
  decisions: readonly RequirementDecision[],
  caller: FrontCaller,
): Promise<readonly UnansweredRequest[]> {
  const unanswered: UnansweredRequest[] = []
  const decisionOn = new Map(decisions.toReversed().map((decision) => [decision.requirement_id, decision]))
  for (const { requirement, approval } of await ports.runs.waitsFor(run)) {
    const decision = decisionOn.get(requirement.approval ?? "")
    if (decision === undefined) continue
    const { execute, rejection_reason: reason } = decision
    const given = await caller.convey(approval, { approve: execute, ...(reason === undefined ? {} : { reason }) })
    const isOpen = !given.ok && (await ports.gate.approval(approval.id))?.status === "pending"
    if (isOpen) unanswered.push({ approval: approval.id, toolCall: requirement.toolCall, why: whyNot(given.refusal) })
  }
  return unanswered
}

function whyNot(refusal: AnswerRefusal): string {
  return refusal.code === "forbidden-by-policy" ? refusal.reason : "A reviewer must decide about this call."
}

/** The leg that asked for these approvals: what follows it is new to a page that answers them. */
export async function legThatAsked(
  ports: FrontPorts,
  run: AgentRun,
  decisions: readonly RequirementDecision[],
): Promise<number> {
  if (run.status === "paused" || decisions.length === 0) return run.legs
  const wanted = new Set(decisions.map(({ requirement_id }) => requirement_id))
  const approvals = await approvalsOfRun(ports, run)
  const isWanted = (toolCall: string): boolean => wanted.has(approvals.get(toolCall)?.id ?? "")
  return fromTurns(ports, run.id, (turns) => {
    const legs = turns.flatMap((turn) => turn.legs)
    return legs.findLast(({ messages }) => requestsIn(messages).some(isWanted))?.leg ?? run.legs
  })
}

/** The approvals that a run waits for, in words for a client that sent something else. */
export function waitsWords(waiting: readonly Pick<Waiting, "approval">[]): string {
  const names = waiting.map(({ approval: { id, tool } }) => `${id} (${tool.server}(${tool.tool}))`)
  return `The run waits for approval of ${names.join(", ")}. Answer that first.`
}
