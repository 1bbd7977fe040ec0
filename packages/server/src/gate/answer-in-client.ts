import { type ClientAnswer, mayBeDecidedInClient } from "@byleave/core"
import { type GateAnswer, given, problem } from "./gate-answer.ts"
import { type GateIdentity, type GateRouteContext, isOwn } from "./gate-context.ts"

/**
 * An answer that somebody gave in the client before a program. It counts for the program's own calls, once, where the configuration says
 * so, and never for what is asked every time, of several or of a group. The record says that nobody verified the person.
 */
export async function answerInClient(
  doors: GateRouteContext,
  who: GateIdentity,
  said: ClientAnswer,
): Promise<GateAnswer> {
  const approval = await doors.gate.approval(said.approval)
  if (approval === undefined || !isOwn(who, approval.principal.id)) return problem("not-found")
  if (doors.decidesInClient?.() !== true || !mayBeDecidedInClient(approval)) return problem("not-decided-here")
  return given(await doors.gate.answerInClient(said))
}
