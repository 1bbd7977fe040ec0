/**
 * Policy's word on a call that may run, once more: agents can make a call wait long between the answer to it, its claim and its sending.
 *
 * I1. A yes counts only as long as policy lets it: given by as many reviewers, and by those, that policy demands now, of those who are reviewers now; where no reviewer gave it, only where none is demanded.
 * I2. What was held or allowed for a credential that was revoked since does not run, nor what was allowed to a run that is over.
 * I3. The same is asked of an approval when it is claimed and when it is sent.
 * I4. A yes that only the program gave which wanted to be asked lets run what policy would let run unasked, and no more: not what is blocked.
 * I5. What was asked to stop is not sent.
 * I6. A call that took a permission's last use is sent by it, as long as the permission is there and covers the call; no other call is.
 * I7. Where other processes may take a run for lost, it is not sent once its lease is over.
 */
import type { Approval, ApprovedApproval, Held, RunningApproval } from "../../approval/approval.ts"
import type { Refusal } from "../../approval/refusal.ts"
import type { Call } from "../../call/call.ts"
import type { JsonObject } from "../../call/json/json.ts"
import type { PreparedJudging } from "../../call/judging-turns.ts"
import { isRunPrincipal, starterName } from "../../call/run-principal.ts"
import { alsoUsable } from "../../policy/decide/index-grants.ts"
import type { GateContext } from "../context.ts"
import type { StillRunOptions } from "../gate.ts"
import type { PolicySnapshot } from "../policy-snapshots.ts"
import { type CredentialUse, tokenRevoked } from "../revocations.ts"
import { StoreError } from "../store.ts"
import { callDigestOf, demandsOnVotes, isForbidden, judgeCall } from "./judge-call.ts"
import { judgeInTurn, judgeNow } from "./judge-in-turn.ts"
import { isOnlyAskedFor, lapsedYes } from "./lapsed-yes.ts"
import { refusalOf } from "./refuse-call.ts"
import { refusedNow } from "./refused-now.ts"

/** `args`: as they were approved. */
type StillApproved =
  | { readonly type: "runs"; readonly args: JsonObject }
  | { readonly type: "forbid"; readonly refusal: Refusal }
  | { readonly type: "cancel"; readonly detail: string }

/** Whether an approved call runs as policy is by now, and if not, how it ends. */
export function stillApproved(
  context: GateContext,
  snapshot: PolicySnapshot,
  approval: ApprovedApproval | RunningApproval,
  listed: Call["listed"],
): StillApproved {
  if (snapshot.isRevoked({ ...approval, since: approval.createdAt })) return { type: "cancel", detail: tokenRevoked }
  const args = argsToRun(context, approval)
  const call = listed === undefined ? approval : { ...approval, listed }
  const decision = judgeCall(context, snapshot, call, args)
  if (isForbidden(decision)) return { type: "forbid", refusal: refusalOf(approval, decision) }
  const by = approval.status === "running" ? approval.approvedBy : approval.by
  const refusal = isOnlyAskedFor(by) ? unaskedRefusal(snapshot, approval) : null
  if (refusal !== null) return { type: "forbid", refusal }
  const lapsed = lapsedYes({ ...approval, by }, decision, demandsOnVotes(snapshot, decision))
  if (lapsed === null) return { type: "runs", args }
  return { type: "forbid", refusal: { by: "policy", code: "denied-by-rule", reason: lapsed } }
}

/** Why a held call would not run had nobody been asked about it; null: it would. */
export function unaskedRefusal(snapshot: PolicySnapshot, held: Held): Refusal | null {
  return refusedNow(snapshot, held, { ...held, asks: false, since: held.createdAt })
}

/** Whether a call that this gate let run may still be sent: as of `CallerGate`. */
export async function mayStillRun(
  context: GateContext,
  call: Pick<Call, "kind" | "tool" | "principal" | "session" | "listed" | "connection">,
  args: JsonObject,
  approval: string | null,
  { isNow = false, grant }: StillRunOptions = {},
): Promise<boolean> {
  const judging: PreparedJudging<StillReady, boolean> = {
    prepare: async () => ({
      snapshot: await context.snapshots.current(),
      use: approval === null ? await credentialUse(context, call) : null,
      running: approval === null ? undefined : await context.store.approval(approval),
    }),
    judge: ({ snapshot, use, running }) => {
      if (approval === null) {
        if (use === null || refusedNow(snapshot, call, { asks: false, ...use }) !== null) return false
        const before = grant === undefined ? snapshot : beforeLastUse(snapshot, grant)
        return judgeCall(context, before, { ...call, starter: use.starter }, args).effect === "allow"
      }
      if (running?.status !== "running" || running.cancelAsked) return false
      if (running.principal.id !== call.principal.id) return false
      if (context.store.others !== undefined && running.leaseUntil <= context.now()) return false
      return stillApproved(context, snapshot, running, call.listed).type === "runs"
    },
  }
  if (!isNow) return judgeInTurn(context, call, judging)
  const ready = await judging.prepare()
  return judgeNow(context, call, () => judging.judge(ready))
}

type StillReady = {
  readonly snapshot: PolicySnapshot
  readonly use: CredentialUse | null
  readonly running: Approval | undefined
}

/** With the permission as it was before a call took its last use. */
function beforeLastUse(snapshot: PolicySnapshot, grant: string): PolicySnapshot {
  const used = snapshot.grants.find(({ id, usesLeft }) => id === grant && usesLeft === 0)
  return used === undefined ? snapshot : { ...snapshot, grantIndex: alsoUsable(snapshot.grantIndex, used) }
}

/** A run's calls are its starter's; null: its run is over, or gone. */
async function credentialUse(
  context: GateContext,
  { principal, session }: Pick<Call, "principal" | "session">,
): Promise<CredentialUse | null> {
  if (!isRunPrincipal(principal.id)) return { principal, since: context.now() }
  const run = await context.store.runSummary(session.id)
  if (run?.status !== "running") return null
  return { principal, starter: starterName(run.startedBy), since: run.createdAt }
}

/** The arguments as approved. A store that gives back others is not to be trusted with a run. */
function argsToRun(context: GateContext, approval: ApprovedApproval | RunningApproval): JsonObject {
  const args = approval.editedArgs ?? approval.args
  if (args === null || callDigestOf(context, approval, args) !== approval.runDigest) {
    throw new StoreError("corrupt", `the stored arguments of ${approval.id} are not the ones that were approved.`)
  }
  return args
}
