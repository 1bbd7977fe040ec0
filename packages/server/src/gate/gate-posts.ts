/**
 * The requests that a program elsewhere posts to the gate: it submits its calls, runs them itself, and reports their outcomes.
 *
 * The principal is made from the credential; a body can only name an agent below it. A run is this program's alone to settle, once;
 * when its connection ends first, nobody can tell what became of the call.
 *
 * I1. A run is settled by the credential that was told to run it, and by no other.
 * I2. Nobody cancels for another credential.
 * I3. Names are judged in turns: however many a program asks about, others are answered meanwhile. Once its connection has ended, or its credential was
 *     revoked, no more of them are judged.
 * I4. What makes the service read a whole call is done in turns, too.
 */
import {
  attendBody,
  cancelBody,
  clientAnswerBody,
  endBody,
  gatePaths,
  judgeBody,
  mayStillRunBody,
  mayStillSendBody,
  resumeBody,
  seenBody,
  settleBody,
  submitBody,
} from "@byleave/api"
import { inTurns } from "@byleave/core"
import { answerInClient } from "./answer-in-client.ts"
import { definitionPosts } from "./definition-posts.ts"
import { followRun, followSubmission } from "./follow-submission.ts"
import { given, problem } from "./gate-answer.ts"
import { callerOf, type GateRouteContext, ownKey } from "./gate-context.ts"
import { inTurn } from "./in-turn.ts"
import { makeProgramKnown, refuseAnothers } from "./make-known.ts"
import { tooMuchWaits } from "./program-turns.ts"
import { mostValues, mostValuesOfServers, type PostRoute, readPost } from "./read-post.ts"
import { mostAttended } from "./session-presence.ts"
import { answerStillRuns, asProgram, mayStillBeSent, overConnection } from "./still-runs.ts"

/** By address; `:name` stands for a name in it. */
export type PostRoutes = ReadonlyMap<string, PostRoute>

const named = (path: (name: string) => string): string => path(":name").replace("%3A", ":")

/** By these a program ends what it began before, or goes on with what a person approved. */
export const endingPaths = {
  settle: named(gatePaths.settle),
  leave: named(gatePaths.leave),
  mayStillSend: named(gatePaths.mayStillSend),
} as const

export function postRoutes(doors: GateRouteContext): PostRoutes {
  const { gate } = doors
  const bytes = doors.maxBodyBytes
  const taking = readPost({ bytes, values: mostValues })
  const submit = taking(submitBody, (body, who) => {
    const follow = () => followSubmission(doors, who, body)
    return body.attach === undefined ? follow() : inTurn(doors, who, follow)
  })
  const resume = taking(resumeBody, (body, who) => inTurn(doors, who, async () => followRun(doors, who, body)))
  const judge = taking(judgeBody, async ({ from, targets, args, connection, program }, who, _, isWanted) => {
    const caller = { ...callerOf(who, from), ...overConnection(connection), ...asProgram(program) }
    // A listing alone shows what there is: a server that could not even be started is not remembered by it.
    for (const server of new Set(targets.map((target) => target.server))) {
      const refused =
        args === undefined
          ? await refuseAnothers(doors, who, server)
          : await makeProgramKnown(doors, who, server, program)
      if (refused !== null) return problem(refused.code, refused.detail)
    }
    const size = targets.reduce((sum, { name }) => sum + name.length, 0)
    const judging = doors.judgements.take({ token: who.token, program: who.program, bytes: size }, () =>
      inTurns(targets, (target) => gate.judge(target, args, caller), doors.pace, isWanted, 1),
    )
    if (judging === null) return problem("too-busy", tooMuchWaits)
    const decisions = await judging
    return decisions === null ? problem("wrong-credential") : given({ decisions })
  })
  const mayStillRun = taking(mayStillRunBody, (body, who, _, isWanted) => {
    const { args, approval, grant } = body
    return answerStillRuns(doors, who, body, (call) =>
      inTurn(doors, who, async () => {
        if (!(await isWanted())) return problem("wrong-credential")
        return given({ mayRun: await gate.mayStillRun(call, args, approval, { grant }) })
      }),
    )
  })
  const mayStillSend = taking(mayStillSendBody, (body, who, approval, isWanted) =>
    answerStillRuns(doors, who, body, (call) =>
      mayStillBeSent(doors, who, { call, approval, isWanted, isDescribed: body.definition !== undefined }),
    ),
  )
  const cancel = taking(cancelBody, async ({ from, approval, detail }, who) => {
    const { principal } = callerOf(who, from)
    return inTurn(doors, who, async () => given(await gate.cancel(approval, principal.id, detail)))
  })
  const answer = taking(clientAnswerBody, (body, who) => inTurn(doors, who, () => answerInClient(doors, who, body)))
  const end = taking(endBody, async ({ from }, who) => {
    const { session } = callerOf(who, from)
    await (doors.attendance === undefined ? gate.endSession(session) : doors.attendance.end(session))
    return given({})
  })
  const attend = taking(attendBody, ({ from }, who) => {
    const { attendance } = doors
    if (attendance === undefined) return problem("not-found")
    const { session } = callerOf(who, from)
    if (!attendance.mayAttend(session)) return problem("too-busy", tooManyAttended)
    return {
      follow: (listener) => {
        listener.say({ type: "attended" })
        return attendance.attend(session, listener)
      },
    }
  })
  const seen = taking(seenBody, ({ from, client, folder, switches }, who) => {
    const startedWith = switches === undefined ? {} : { switches }
    doors.see?.({ session: callerOf(who, from).session, client, folder, ...startedWith })
    return given({})
  })
  const settle = readPost({ bytes, values: mostValuesOfServers })(settleBody, (outcome, who, name) => {
    const run = doors.runs.get(name)
    if (run?.token !== who.token) return problem("not-found")
    run.settle(outcome)
    return given({})
  })
  const leave: PostRoute = (_text, who, name) => {
    const submission = doors.submissions.get(ownKey(who, name))
    if (submission === undefined) return problem("not-found")
    submission.leave()
    return given({})
  }
  return new Map<string, PostRoute>([
    [gatePaths.submit, submit],
    [gatePaths.resume, resume],
    [gatePaths.judge, judge],
    [gatePaths.mayStillRun, mayStillRun],
    [endingPaths.mayStillSend, mayStillSend],
    ...definitionPosts(doors),
    [gatePaths.cancel, cancel],
    [gatePaths.end, end],
    [gatePaths.seen, seen],
    [gatePaths.attend, attend],
    [gatePaths.answer, answer],
    [endingPaths.settle, settle],
    [endingPaths.leave, leave],
  ])
}

const tooManyAttended = `This credential attends ${mostAttended} sessions, which is as many as it may. End some first, or use another credential for more of them.`
