import type { Refusal, RefusalCode } from "../../approval/refusal.ts"
import { type Call, toolName } from "../../call/call.ts"
import { shownName } from "../../call/text/quoted.ts"
import type { Decision } from "../../policy/decide/decision.ts"
import { reasonOf } from "../../policy/decide/sentences.ts"
import type { GateContext } from "../context.ts"
import type { Outcome } from "../gate.ts"
import type { PolicySnapshot } from "../policy-snapshots.ts"
import { recordJudgement } from "../record-judgement.ts"
import { StoreError } from "../store.ts"
import { targetOf } from "./judge-call.ts"
import type { ChangeSignal } from "./waiters.ts"

/** The call is held, and this caller attached to it. Its signal was set up before that, so nothing that happened since is missed. */
export type WaitingCount = {
  readonly kind: "waiting"
  readonly approval: string
  readonly caller: string
  readonly listed: Call["listed"]
  readonly signal: ChangeSignal
  /** It came back to what had settled without it. */
  readonly late: boolean
}

/** The result of a step; `again`: the policy snapshot it was judged by is out of date, so the call must be judged anew. */
export type Step = Outcome | WaitingCount | "again"

/** Records the no, then gives it. */
export async function refuseCall(
  context: GateContext,
  snapshot: PolicySnapshot,
  call: Call,
  decision: Decision,
  refusal: Refusal,
): Promise<Outcome | "again"> {
  const id = context.options.newId()
  const at = context.now()
  const committed = await recordJudgement(context, {
    at,
    records: [context.recorder.judged(id, call, { decision, snapshot, refusal: refusal.code }, at)],
    events: [],
    epoch: snapshot.epoch,
    ...(decision.because.kind === "grant" ? { grantUses: [{ grant: decision.because.grant.id, counted: false }] } : {}),
    durability: "soon",
  })
  return committed.ok ? { kind: "refusal", refusal, approval: null } : "again"
}

export function refusalOf(call: Pick<Call, "kind" | "tool">, decision: Decision): Refusal {
  return { by: "policy", code: refusalCodeOf(decision), reason: reasonOf(decision, targetOf(call)) }
}

function refusalCodeOf({ effect, because }: Decision): RefusalCode {
  if (effect === "hide") return "hidden"
  switch (because.kind) {
    case "mode":
      return "unattended"
    case "grant":
      return "denied-by-grant"
    case "pin":
      return because.pin === "other-program" ? "other-program" : "definition-rejected"
    default:
      return "denied-by-rule"
  }
}

/** Nobody hears it: its caller has left. */
export function leftUnjudged({ tool }: Pick<Call, "tool">): Outcome {
  const reason = `${shownName(toolName(tool))} did not run: its caller left before it was judged.`
  return { kind: "refusal", refusal: { by: "policy", code: "cancelled", reason }, approval: null }
}

/** When the store fails, what needs a record is refused; any other error is a defect and goes on. */
export function unrecorded(error: unknown): Outcome {
  if (!(error instanceof StoreError)) throw error
  const reason = `This call was not run, because it could not be recorded: ${error.message}`
  return { kind: "refusal", refusal: { by: "limit", code: "store-unavailable", reason }, approval: null }
}
