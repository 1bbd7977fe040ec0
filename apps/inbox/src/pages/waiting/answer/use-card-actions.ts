import type { PinView } from "@byleave/api"
import { bindAcceptance } from "@byleave/api/page"
import type { CardActions } from "@byleave/ui"
import { useRouter } from "@tanstack/react-router"
import { useState } from "react"
import { asShown } from "../../../data/as-shown.ts"
import { useAct } from "../../../data/use-act.ts"
import { useUndo } from "../../../data/use-undo.ts"
import type { Verdicts } from "./use-verdicts.ts"

type CardActionsState = CardActions & { readonly problem: string | null; readonly forget: () => void }

/** The actions of a card, one at a time. `pin`: the definitions it shows. */
export function useCardActions(
  verdicts: Verdicts,
  pin: PinView | null,
  onOpen: (id: string) => void,
): CardActionsState {
  const router = useRouter()
  const proposed = pin?.proposed?.fingerprint ?? null
  const extending = useAct("extendApproval")
  const revoking = useAct("revokeApproval")
  const rerunning = useAct("rerunApproval")
  const runningNow = useAct("runApprovalNow")
  const undo = useUndo(onOpen)
  const accepting = useAct("acceptPin")
  const [accepted, setAccepted] = useState<string | null>(null)
  const acts = [extending, revoking, runningNow, rerunning, undo.act, accepting]
  // Until the page has read that it is accepted, it still looks as if it were not.
  const isAccepting = accepting.isBusy || (accepted !== null && accepted === proposed)
  return {
    onVerdict: verdicts.give,
    onTakeBack: ({ id }) => verdicts.takeBack(id),
    onExtend: ({ id }, until) => void extending.act({ params: { id }, body: { until } }),
    onRevoke: ({ id }) => void revoking.act({ params: { id } }),
    onRunNow: (approval) => void runningNow.act(asShown(approval)),
    loadUndo: undo.loadUndo,
    onPutBack: undo.onPutBack,
    onRerun: async (approval) => {
      const reply = await rerunning.act(asShown(approval))
      if (reply.ok) onOpen(reply.value.approval.id)
    },
    onAccept: async () => {
      if (pin === null || proposed === null) return
      const reply = await accepting.act(bindAcceptance(pin).then((body) => ({ body })))
      if (reply.ok) setAccepted(proposed)
    },
    onFollow: (href) => void router.navigate({ href }),
    busyWith: busyWith({
      accept: isAccepting,
      rerun: rerunning.isBusy,
      "run-now": runningNow.isBusy,
      revoke: revoking.isBusy,
      extend: extending.isBusy,
    }),
    problem: acts.find(({ problem }) => problem !== null)?.problem?.detail ?? null,
    forget: () => {
      for (const act of acts) act.forget()
    },
  }
}

type Busy = NonNullable<CardActions["busyWith"]>

function busyWith(acts: Readonly<Record<Busy, boolean>>): Busy | null {
  return (Object.keys(acts) as Busy[]).find((act) => acts[act]) ?? null
}
