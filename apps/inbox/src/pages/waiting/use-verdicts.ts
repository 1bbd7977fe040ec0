import type { ApprovalView, Problem } from "@byleave/api"
import type { Verdict, VerdictState } from "@byleave/ui"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { shownBy } from "../../data/shown-by.ts"
import { mayHaveArrived, useAct } from "../../data/use-act.ts"

const none: VerdictState = { state: "none" }

export type Verdicts = {
  readonly of: (id: string) => VerdictState
  readonly give: (approval: ApprovalView, verdict: Verdict) => void
}

/** Verdicts on their way. Each is shown as sent until the service says what became of it. */
export function useVerdicts(): Verdicts {
  const { act } = useAct("giveVerdict")
  const queries = useQueryClient()
  const [states, setStates] = useState<ReadonlyMap<string, VerdictState>>(new Map())
  const become = (id: string, state: VerdictState): void =>
    setStates((before) => {
      const after = new Map(before)
      if (state.state === "none") after.delete(id)
      else after.set(id, state)
      return after
    })
  const give = async (approval: ApprovalView, verdict: Verdict): Promise<void> => {
    const { id } = approval
    if (states.get(id)?.state === "sending") return
    become(id, { state: "sending", kind: verdict.kind })
    const reply = await act({ params: { id }, body: verdict })
    if (!reply.ok) return become(id, refusedBy(reply.problem))
    for (const settled of [
      reply.value.approval,
      ...reply.value.also.flatMap((also) => (also.ok ? [also.approval] : [])),
    ]) {
      queries.setQueryData([shownBy.getApproval, "getApproval", { params: { id: settled.id } }], settled)
    }
    become(id, none)
  }
  return { of: (id) => states.get(id) ?? none, give: (approval, verdict) => void give(approval, verdict) }
}

function refusedBy(problem: Problem): VerdictState {
  const { code, detail, problems } = problem
  if (mayHaveArrived(problem)) return { state: "refused", why: detail, isUnknown: true }
  const known = problem.status === 503 ? {} : { code }
  return { state: "refused", why: detail, ...known, ...(problems === undefined ? {} : { problems }) }
}
