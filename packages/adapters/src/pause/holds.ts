/**
 * For hosts that can pause a run, keep it as data and go on elsewhere: the host's pause waits for our approval.
 *
 * I1. Pausing decides nothing: the tool itself asks the gate again when it runs, and only the gate lets it.
 * I2. A call that was let through while it was to be held runs by that word, as long as it holds: the host may run it much later. Where policy has
 *     changed, it is judged as any other call.
 * I3. What was approved before is used when the host runs the call, and not before: a host may never come to that. Neither is the result used
 *     up of a call that was approved and has run.
 * I4. Of equal calls that were let through each has its own word, and its own report.
 */
import {
  type Approval,
  type Call,
  type CallerGate,
  canonicalJson,
  outcomeOf,
  type Run,
  type RunOutcome,
  toolName,
} from "@byleave/core"
import { refusalText } from "@byleave/core/told"
import { type AdapterOptions, callFor } from "../call/adapter-options.ts"
import { type DecidedCall, decideCall } from "../call/decide-call.ts"
import { argumentsOf, messageOf } from "../call/json.ts"

/** A reviewer's answer, for the host's own. */
export type HoldAnswer = { readonly approved: true } | { readonly approved: false; readonly reason: string }

export type Holds = {
  /** For `gated` of the same host: the tools run by what was held here, and never wait inside the host. */
  readonly options: AdapterOptions
  /** Holds a call of this id that needs approval, once. Gives its approval's id; null: it needs none, and the host goes on. */
  readonly hold: (callId: string, tool: string, input: unknown) => Promise<string | null>
  /** By the host's id of each call. Null: at least one of them still waits. */
  readonly answers: () => Promise<ReadonlyMap<string, HoldAnswer> | null>
  /** Plain data, to be kept beside the host's state: the host's id of each call, and its approval's. */
  readonly saved: () => ReadonlyArray<readonly [callId: string, approval: string]>
}

export type HoldsOptions = Omit<AdapterOptions, "gate" | "wait"> & {
  readonly gate: AdapterOptions["gate"] & Pick<CallerGate, "approval" | "mayStillRun">
}

type RunDecided = Extract<DecidedCall, { readonly kind: "run" }>
/** A call that was let through while it was to be held, until the host runs it. */
type Released = { readonly key: string; readonly decided: RunDecided }

export function createHolds(options: HoldsOptions, saved: ReturnType<Holds["saved"]> = []): Holds {
  const { gate, server } = options
  const held = new Map(saved)
  const released = new Map<string, Released>()

  const submit: CallerGate["submit"] = async (call, run, how) => {
    const key = keyOf(call)
    const found = [...released].find(([, each]) => each.key === key)
    if (found === undefined) return gate.submit(call, run, how)
    const [callId, { decided }] = found
    released.delete(callId)
    // Where nobody can say, it does not run.
    const { approval, grant } = decided.context
    if (await gate.mayStillRun(call, decided.args, approval, { grant }).catch(() => false)) {
      return decided.report(await perform(run, decided))
    }
    await decided.report({ kind: "failed", error: nowForbidden })
    return gate.submit(call, run, how)
  }
  const hold: Holds["hold"] = async (callId, tool, input) => {
    const before = held.get(callId)
    if (before !== undefined) return before
    if (released.has(callId)) return null
    const args = argumentsOf(input)
    const call = callFor(options, tool, args)
    const { effect } = await gate.judge({ server, kind: "tool", name: tool }, args, call)
    if (effect !== "ask") return null
    let asked: string | undefined
    const onHeld = ({ id }: Approval): void => {
      asked = id
    }
    const decided = await decideCall({ ...options, wait: false }, { tool, input }, { leavesAnswered: true, onHeld })
    if (decided.kind === "run") released.set(callId, { key: keyOf(call), decided })
    const approval = decided.kind === "waiting" ? decided.permission.permissionRequest.approval : asked
    if (approval === undefined || goesOn((await gate.approval(approval))?.status)) return null
    held.set(callId, approval)
    return approval
  }
  const answers: Holds["answers"] = async () => {
    const all = await Promise.all(
      [...held].map(async ([callId, id]) => [callId, answerTo(await gate.approval(id), options)] as const),
    )
    const given = all.flatMap(([callId, answer]) => (answer === null ? [] : [[callId, answer] as const]))
    return given.length < all.length ? null : new Map(given)
  }
  return { options: { ...options, wait: false, gate: { ...gate, submit } }, hold, answers, saved: () => [...held] }
}

/** Whether the tool itself gets what was answered, when the host runs it. A no is told as the answer to the pause. */
function goesOn(status: Approval["status"] | undefined): boolean {
  return status === "approved" || status === "succeeded" || status === "failed"
}

const nowForbidden = "This call did not run: before its program came to run it, what let it through no longer held."

/** The key of a call, the same for every caller: a host may not say by which id it runs a tool. */
function keyOf({ tool, args }: Pick<Call, "tool" | "args">): string {
  return canonicalJson([tool.server, tool.tool, args])
}

async function perform(run: Run, { args, context }: RunDecided): Promise<RunOutcome> {
  try {
    return await run(args, context)
  } catch (error) {
    return { kind: "unknown", detail: messageOf(error) }
  }
}

/** Null: nobody has answered yet. A call that has run meanwhile is approved: the tool gives its kept result. */
function answerTo(approval: Approval | undefined, { server, inbox }: HoldsOptions): HoldAnswer | null {
  if (approval === undefined) return { approved: false, reason: "Its approval no longer exists." }
  if (approval.status === "pending") return null
  const outcome = outcomeOf(approval, false)
  if (outcome?.kind !== "refusal") return { approved: true }
  const name = toolName({ server, tool: approval.tool.tool })
  return { approved: false, reason: refusalText(outcome.refusal, inbox === undefined ? { name } : { name, inbox }) }
}
