import type { Call, EpochMs } from "../call/call.ts"
import type { JsonObject } from "../call/json/json.ts"
import type { CallerId, Held, PendingApproval } from "./approval.ts"
import { besideArgs } from "./moves.ts"

export type NewApproval = Pick<
  Held,
  | "id"
  | "access"
  | "callDigest"
  | "fingerprint"
  | "policyVersion"
  | "why"
  | "rule"
  | "remember"
  | "needs"
  | "checked"
  | "key"
  | "starter"
  | "requested"
> & {
  readonly call: Call
  readonly at: EpochMs
  /** How long it may wait for a person; null is for ever. */
  readonly wait: number | null
  readonly caller: CallerId | null
  /** Running an earlier approval anew: which one, and the arguments a reviewer wrote for it. */
  readonly rerunOf?: string
  readonly undoOf?: string
  readonly edit?: { readonly args: JsonObject; readonly digest: string }
}

export function newApproval(input: NewApproval): PendingApproval {
  const { call, edit } = input
  return {
    id: input.id,
    version: 0,
    kind: call.kind ?? "tool",
    tool: call.tool,
    principal: call.principal,
    session: call.session,
    createdAt: input.at,
    access: input.access,
    args: call.args,
    ...besideArgs(call),
    callDigest: input.callDigest,
    editedArgs: edit?.args ?? null,
    runDigest: edit?.digest ?? input.callDigest,
    fingerprint: input.fingerprint,
    policyVersion: input.policyVersion,
    why: input.why,
    rule: input.rule,
    remember: input.remember,
    needs: input.needs,
    votes: [],
    caller: input.caller,
    rerunOf: input.rerunOf ?? null,
    ...(input.undoOf === undefined ? {} : { undoOf: input.undoOf }),
    ...(input.key === undefined ? {} : { key: input.key }),
    ...(input.starter === undefined ? {} : { starter: input.starter }),
    ...(input.requested === undefined ? {} : { requested: input.requested }),
    ...(input.checked === undefined ? {} : { checked: input.checked }),
    status: "pending",
    expiresAt: input.wait === null ? null : input.at + input.wait,
  }
}
