import type { Approval, CallerGate, Requirement } from "@byleave/core"
import { wordOn } from "./front/run-approvals.ts"
import type { RequirementAnswer } from "./loop/leg-messages.ts"

/** Null: not answered yet. */
export async function answersTo(
  gate: Pick<CallerGate, "approval">,
  requirements: readonly Requirement[],
): Promise<ReadonlyArray<RequirementAnswer | null>> {
  return Promise.all(
    requirements.map(async ({ approval: id, toolCall }) => {
      const approval = id === null ? undefined : await gate.approval(id)
      if (approval === undefined) return { toolCall, approved: true }
      return answerOf(approval, toolCall)
    }),
  )
}

export function isAnswer(answer: RequirementAnswer | null): answer is RequirementAnswer {
  return answer !== null
}

function answerOf(approval: Approval, toolCall: string): RequirementAnswer | null {
  const word = wordOn(approval)
  return word === null ? null : { toolCall, ...word }
}
