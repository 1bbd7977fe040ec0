/** Whether a call that the gate let a program run may still be sent: the program asks when the word to run it may be old. */
import type { Call, CallerGate, StillWanted, ToolDefinition } from "@byleave/core"
import { programDefinition } from "../program-definition.ts"
import { listedBy } from "./follow-submission.ts"
import { type GateAnswer, given, problem } from "./gate-answer.ts"
import { callerOf, type GateIdentity, type GateRouteContext, ownKey, type RunningApproved } from "./gate-context.ts"
import { inTurn } from "./in-turn.ts"
import { makeProgramKnown } from "./make-known.ts"

type AskedCall = Parameters<CallerGate["mayStillRun"]>[0]
type StillRunsBody = {
  readonly from: Parameters<typeof callerOf>[1]
  readonly target: { readonly kind: NonNullable<Call["kind"]>; readonly server: string; readonly name: string }
  readonly connection?: Call["connection"]
  readonly program?: string | undefined
  /** As of a submission. */
  readonly told?: readonly string[] | undefined
  readonly definition?: ToolDefinition | undefined
}

/** Answers about the call that a body names, once its program is known. */
export async function answerStillRuns(
  doors: GateRouteContext,
  who: GateIdentity,
  { from, target, connection, program, told = [], definition }: StillRunsBody,
  answer: (call: AskedCall) => Promise<GateAnswer> | GateAnswer,
): Promise<GateAnswer> {
  const { kind, server, name: tool } = target
  const refused = await makeProgramKnown(doors, who, server, program)
  if (refused !== null) return problem(refused.code, refused.detail)
  const listing = doors.told.has(ownKey(who, server)) ? doors.listings.find(server, told) : undefined
  if (listing === undefined && told.length > 0) return given({ mayRun: "unknown" })
  const listed = listedBy({ tool, definition, program }, kind === "tool" ? listing : undefined)
  return answer({
    ...callerOf(who, from),
    ...overConnection(connection),
    ...(listed === undefined ? {} : { listed }),
    ...{ kind, tool: { server, tool } },
  })
}

type AskedToSend = {
  readonly call: AskedCall
  readonly approval: string
  readonly isWanted: StillWanted
  /** The definition of its tool came with the request. */
  readonly isDescribed: boolean
}

/**
 * A person's yes is not lost because its credential is busy with other things: such a call is claimed already, and what is not answered is not sent.
 * The gate has its arguments.
 */
export async function mayStillBeSent(
  doors: GateRouteContext,
  who: GateIdentity,
  { call, approval, isWanted, isDescribed }: AskedToSend,
): Promise<GateAnswer> {
  const running = doors.runningApproved.get(ownKey(who, approval))
  // A definition that is sent along takes long to read.
  const isNow = goesFirst(running) && !isDescribed
  const answer = async (): Promise<GateAnswer> => {
    if (!(await isWanted())) return problem("wrong-credential")
    return given({ mayRun: await doors.gate.mayStillRun(call, {}, approval, { isNow }) })
  }
  if (running === undefined || !isNow) return inTurn(doors, who, answer)
  running.asksLeft -= 1
  running.isAsked = true
  try {
    return await answer()
  } finally {
    running.isAsked = false
  }
}

/** Whether a question about it goes before its credential's other work. */
export function goesFirst(running: RunningApproved | undefined): boolean {
  return running !== undefined && !running.isAsked && running.asksLeft > 0
}

export function overConnection(connection: Call["connection"]): Pick<Call, "connection"> {
  return connection === undefined ? {} : { connection }
}

export function asProgram(program: string | undefined): Pick<Call, "listed"> {
  return program === undefined ? {} : { listed: { program: programDefinition(program) } }
}
