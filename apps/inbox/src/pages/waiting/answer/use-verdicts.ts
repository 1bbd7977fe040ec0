import type { ApprovalView, Problem } from "@byleave/api"
import { bindVerdict } from "@byleave/api/page"
import type { GivenVerdict, VerdictState } from "@byleave/ui"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { shownBy } from "../../../data/shown-by.ts"
import { mayHaveArrived, useAct } from "../../../data/use-act.ts"
import { useUndoGrant } from "../../../data/use-undo-grant.ts"
import { useToast } from "../../../shell/toast.tsx"
import { useAskBeforeClosing, useUndoWindow } from "./use-undo-window.ts"

const none: VerdictState = { state: "none" }

export type Verdicts = {
  readonly of: (id: string) => VerdictState
  readonly give: (approval: ApprovalView, verdict: GivenVerdict) => void
  /** Takes back what was given and is not sent yet. */
  readonly takeBack: (id: string) => void
}

/** A verdict, and the call as it was shown when it was given. */
type Given = { readonly approval: ApprovalView; readonly verdict: GivenVerdict }

/** Verdicts that can still be taken back, and those on their way: each is shown as sent until the service says what became of it. */
export function useVerdicts(
  onAnswered: (id: string, kind: GivenVerdict["kind"]) => void,
  face: "inbox" | "chat" = "inbox",
): Verdicts {
  const { act, isBusy } = useAct("giveVerdict")
  useAskBeforeClosing(isBusy)
  const queries = useQueryClient()
  const say = useToast()
  const latest = useRef(onAnswered)
  useEffect(() => {
    latest.current = onAnswered
  })
  const undoGrant = useUndoGrant()
  const [states, setStates] = useState<ReadonlyMap<string, VerdictState>>(new Map())
  const become = (id: string, state: VerdictState): void =>
    setStates((before) => {
      const after = new Map(before)
      if (state.state === "none") after.delete(id)
      else after.set(id, state)
      return after
    })
  const send = async ({ approval, verdict }: Given): Promise<void> => {
    const { id } = approval
    become(id, { state: "sending", kind: verdict.kind })
    const reply = await act(bindVerdict(approval, { ...verdict, face }).then((body) => ({ params: { id }, body })))
    if (!reply.ok) return become(id, refusedBy(reply.problem))
    for (const settled of [
      reply.value.approval,
      ...reply.value.also.flatMap((also) => (also.ok ? [also.approval] : [])),
    ]) {
      queries.setQueryData([shownBy.getApproval, "getApproval", { params: { id: settled.id } }], settled)
    }
    become(id, none)
    const { grant } = reply.value
    if (reply.value.approval.status !== "pending") latest.current(id, verdict.kind)
    if (grant !== null) say({ title: "Permission saved", words: `${grant.words}.`, undo: () => undoGrant(grant) })
  }
  const { unsent, give, takeBack } = useUndoWindow<Given>((_, given) => void send(given))
  return {
    of: (id) => {
      const waiting = unsent.get(id)
      if (waiting === undefined) return states.get(id) ?? none
      return { state: "unsent", kind: waiting.answer.verdict.kind, until: waiting.until }
    },
    give: (approval, verdict) => {
      if (states.get(approval.id)?.state === "sending") return
      become(approval.id, none)
      give(approval.id, { approval, verdict })
    },
    takeBack,
  }
}

function refusedBy(problem: Problem): VerdictState {
  const { code, detail, problems } = problem
  if (mayHaveArrived(problem)) return { state: "refused", why: detail, isUnknown: true }
  const known = problem.status === 503 ? {} : { code }
  return { state: "refused", why: detail, ...known, ...(problems === undefined ? {} : { problems }) }
}
