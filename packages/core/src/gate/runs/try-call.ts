/**
 * The calls of an agent run.
 *
 * I1. A call that policy allows begins in the commit that writes its line into the journal, so it never begins twice, whoever plays the run again.
 * I2. A call that people must be asked about leaves no trace here: it is held when the run pauses.
 * I3. Whoever starts a run can have more asked about, never less.
 * I4. What the store could not record, or a gate that closes cut short, is no outcome: it is thrown, and the run tells its model nothing of it.
 * I5. A call that could not wait, because too much waits already, is refused in words, and recorded as that.
 * I6. A call of a run whose starter's credential was revoked neither runs nor waits.
 */
import { heldBytes } from "../../approval/checked-arguments.ts"
import { starterName } from "../../call/run-principal.ts"
import type { Decision } from "../../policy/decide/decision.ts"
import { reasonOf } from "../../policy/decide/sentences.ts"
import type { JournalLine } from "../../run/agent-run.ts"
import { mustBeACall } from "../callers/check-call.ts"
import { tooMuchHeld } from "../callers/held-limits.ts"
import { targetOf } from "../callers/judge-call.ts"
import { outcomeOf } from "../callers/outcome.ts"
import { refusalOf, refuseCall } from "../callers/refuse-call.ts"
import { refusedNow } from "../callers/refused-now.ts"
import { attach } from "../callers/resume.ts"
import { judged, type RunningCount, runAllowed } from "../callers/submit.ts"
import type { GateContext } from "../context.ts"
import type { Outcome, Run } from "../gate.ts"
import { StoreError } from "../store.ts"
import { type RunCall, runCallKey, type TriedCall } from "./run-gate.ts"

export async function tryCall(context: GateContext, of: RunCall, run: Run, begun: JournalLine): Promise<TriedCall> {
  const { call } = of
  mustBeACall(call)
  context.options.onCall?.(call)
  context.inside.enter()
  try {
    const starter = starterName(of.run.startedBy)
    const tried = await judged<TriedCall | RunningCount>(context, { call, starter }, async (by) => {
      const { snapshot, usage, ...judgement } = by
      const decision = askedFirst(of, judgement.decision)
      if (decision.effect === "deny" || decision.effect === "hide") {
        return refuseCall(context, snapshot, call, decision, refusalOf(call, decision))
      }
      const use = { principal: call.principal, starter, since: of.run.createdAt }
      const refusal = refusedNow(snapshot, call, { asks: decision.effect === "ask", ...use })
      if (refusal !== null) return refuseCall(context, snapshot, call, decision, refusal)
      if (decision.effect === "ask") {
        const bytes = heldBytes(call, null)
        const excess = (await of.mayWait?.(bytes)) ?? null
        if (excess === null) return { kind: "asked", why: reasonOf(decision, targetOf(call)), usage }
        return refuseCall(context, snapshot, call, decision, tooMuchHeld(excess, bytes))
      }
      return runAllowed(context, snapshot, call, decision, run, {
        run: of.run.id,
        owner: of.run.owner,
        lines: [begun],
      })
    })
    return tried.kind === "running" ? await tried.outcome : tried
  } finally {
    context.inside.leave()
  }
}

/** The policy's decision, unless it allows a call that the starter of the run wants to be asked about. */
export function askedFirst({ askFirst }: RunCall, decision: Decision): Decision {
  if (askFirst !== true || decision.effect !== "allow") return decision
  return { ...decision, effect: "ask", because: { kind: "requested" } }
}

/** Comes back to a held call: returns its outcome, or runs it now if it is approved; null while it waits. Its arguments are those that were held. */
export async function takeUpCall(context: GateContext, id: string, of: RunCall, run: Run): Promise<Outcome | null> {
  const key = runCallKey(of.run.id, of.toolCall)
  const found = await context.store.approval(id)
  if (found === undefined || found.key !== key)
    throw new StoreError("gone", `the held call ${id} is no longer in the store.`)
  if (found.status === "pending") return null
  const settled = outcomeOf(found)
  if (settled !== null && (settled.kind === "refusal" || settled.kind === "unknown")) return settled
  const back = await attach(context, id, { ...of.call, args: found.args ?? {} }, run, { key })
  if (back?.kind === "ticket") throw new StoreError("closed", "Byleave is shutting down.")
  if (back?.kind === "refusal" && back.refusal.code === "store-unavailable")
    throw new StoreError("unavailable", back.refusal.reason)
  // Somebody has received it, such as this run before its process died.
  return back ?? settled
}
