import type { Change, Gate, Run, Store, StoreEvent } from "@byleave/core"

/** The steps a held call goes through, each told when it is over and before anything follows from it. */
export const steps = [
  "persisted",
  "notified",
  "pending",
  "decided",
  "claimed",
  "first byte sent",
  "response received",
  "recorded",
] as const
export type Step = (typeof steps)[number]

export type Reached = (step: Step) => void

/** What must happen before an event is told; undefined lets it pass. */
export type HoldBack = (event: StoreEvent) => Promise<unknown> | undefined

/** Tells of what the store has committed, and of what it has told others. */
export function watchStore(store: Store, reached: Reached, holdBack: HoldBack): Store {
  return {
    ...store,
    commit: async (change) => {
      const committed = await store.commit(change)
      const step = stepOf(change)
      if (committed.ok && step !== null) reached(step)
      return committed
    },
    subscribe: (listener) => {
      let turn: Promise<unknown> | undefined
      const tell = (event: StoreEvent): void => {
        listener(event)
        if (event.type === "approval.pending") reached("notified")
      }
      return store.subscribe((event) => {
        const held = holdBack(event)
        if (turn === undefined && held === undefined) tell(event)
        // Events keep their order: what comes after one that is held back waits as well.
        else turn = Promise.all([turn, held]).then(() => tell(event))
      })
    },
  }
}

function stepOf(change: Change): Step | null {
  const [moved] = change.approvals ?? []
  if (moved === undefined) return null
  if (moved.replaces === null) return "persisted"
  switch (moved.next.status) {
    case "approved":
      return "decided"
    case "running":
      return "claimed"
    case "succeeded":
    case "failed":
      return "recorded"
    default:
      return null
  }
}

/** Tells when an approved call's answer has come, before anything is made of it. */
export function watchGate(gate: Gate, reached: Reached): Gate {
  const watched =
    (run: Run): Run =>
    async (args, context) => {
      const outcome = await run(args, context)
      if (context.approval !== null) reached("response received")
      return outcome
    }
  return {
    ...gate,
    submit: (call, run, options) => gate.submit(call, watched(run), options),
    attach: (approval, call, run, options) => gate.attach(approval, call, watched(run), options),
  }
}
