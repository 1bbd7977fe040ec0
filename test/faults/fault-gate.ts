import { randomUUID } from "node:crypto"
import {
  type Approval,
  type Call,
  createGate,
  emptyPolicy,
  type Gate,
  type JsonObject,
  type Policy,
  parseTargetPattern,
  type Run,
  type Store,
} from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { logDispatch } from "./dispatch-log.ts"
import type { StoreSpec } from "./store-spec.ts"

const reads = parseTargetPattern("files(read)")
if (!reads.ok) throw new Error(reads.problem)

/** `files(read)` runs by itself; everything else asks. */
export const policy: Policy = {
  ...emptyPolicy,
  version: "faults",
  rules: [{ id: "reads", effect: "allow", target: reads.pattern, origin: { where: "faults" } }],
  limits: { ...emptyPolicy.limits, waitingPerSession: 1_000_000 },
}

export function openFaultGate(store: Store, ahead = 0): Promise<Gate> {
  return createGate({
    policy,
    store,
    now: () => Date.now() + ahead,
    newId: randomUUID,
    hasher: nodeHasher,
    digestKey: "faults",
    onTrouble: () => {},
  })
}

export function callTo(tool: string, n: string): Call {
  return {
    tool: { server: "files", tool },
    args: { n },
    principal: { id: "agent" },
    session: { principal: "agent", id: "s", named: true },
  }
}

/** The call an approval holds, as its caller would make it again. */
export function callAgain(approval: Approval): Call {
  const { tool, principal, session } = approval
  return { tool, principal, session, args: approval.args ?? {} }
}

export function loggingRun(spec: StoreSpec): Run {
  return async (args: JsonObject) => {
    logDispatch(spec.dispatches, String(args.n))
    return { kind: "succeeded", result: { n: args.n ?? null } }
  }
}

export const reviewer = { id: "ana", groups: [] }
