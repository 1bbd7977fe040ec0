/**
 * Where every request of a gate credential begins, by whichever connection it came.
 *
 * I1. Requests of one credential begin one after the other, and others have a turn in between; so have the programs that share it among themselves.
 * I2. What ends a run or a wait of the credential's own is never refused because too much waits.
 * I3. Whether a call may still be sent that a person approved and that the credential runs is asked before its program's other requests, and never
 *     refused for them: one question at a time for each such call, and no more of them than a program needs.
 * I4. A credential that is revoked while its request is read or waits opens nothing.
 * I5. A call is withdrawn before its program's other requests begin.
 */
import { gatePaths } from "@byleave/api"
import type { StillWanted } from "@byleave/core"
import { type GateAnswer, problem } from "./gate-answer.ts"
import { type GateIdentity, type GateRouteContext, ownKey } from "./gate-context.ts"
import { endingPaths } from "./gate-posts.ts"
import { tooMuchWaits } from "./program-turns.ts"
import { goesFirst } from "./still-runs.ts"

/** `path`: as routes have it; `name`: what it names, where it names something. */
export type GateRequest = {
  readonly authorization: string | undefined
  /** Who it was when its connection was opened, or its request was read. */
  readonly asker: GateIdentity
  readonly path: string
  readonly name: string
  readonly text: string
  /** Whether its connection has ended. */
  readonly isGone: () => boolean
}

export async function beginRequest(
  doors: GateRouteContext,
  request: GateRequest,
  answer: (who: GateIdentity, isWanted: StillWanted) => Promise<GateAnswer> | GateAnswer,
): Promise<GateAnswer> {
  const { authorization, asker, path, text, isGone } = request
  const { token, program } = asker
  const goesFirst = path === gatePaths.cancel
  const isIts = await doors.starts.begin(token, { program, bytes: text.length, goesFirst, ...endedBy(doors, request) })
  if (!isIts) return problem("too-busy", tooMuchWaits)
  const now = await doors.identify(authorization)
  if (now === null) return problem("wrong-credential")
  return answer(
    now.owner === asker.owner && now.token === token ? asker : { ...now, program },
    async () => !isGone() && (await doors.identify(authorization)) !== null,
  )
}

/** A name for what a request ends, where the credential has it. */
function endedBy(
  { runs, submissions, runningApproved }: GateRouteContext,
  { path, name, asker }: GateRequest,
): { readonly ends?: string } {
  const isOwnRun = path === endingPaths.settle && runs.get(name)?.token === asker.token
  const isOwnWait = path === endingPaths.leave && submissions.has(ownKey(asker, name))
  const isToSend = path === endingPaths.mayStillSend && goesFirst(runningApproved.get(ownKey(asker, name)))
  return isOwnRun || isOwnWait || isToSend ? { ends: `${path} ${name}` } : {}
}
