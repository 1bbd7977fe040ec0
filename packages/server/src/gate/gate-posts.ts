/**
 * The requests that a program elsewhere posts to the gate: it submits its calls, runs them itself, and reports their outcomes.
 *
 * The principal is made from the credential; a body can only name an agent below it. A run is this program's alone to settle, once;
 * when its connection ends first, nobody can tell what became of the call.
 *
 * I1. A run is settled by the credential that was told to run it, and by no other.
 * I2. No program says what the tools of a server are that the service reaches itself.
 * I3. Nobody cancels for another credential.
 */
import {
  attendBody,
  cancelBody,
  clientAnswerBody,
  endBody,
  gatePaths,
  type InstructionsAnswer,
  instructionsBody,
  judgeBody,
  type OfferedAnswer,
  resumeBody,
  seenBody,
  settleBody,
  submitBody,
  type ToolsAnswer,
  toolsBody,
} from "@byleave/api"
import { defaultJsonValues, readJson, type ToolDefinition } from "@byleave/core"
import type { z } from "zod"
import { programDefinition, withProgram } from "../program-definition.ts"
import { answerInClient } from "./answer-in-client.ts"
import { followRun, followSubmission } from "./follow-submission.ts"
import { type GateAnswer, given, problem } from "./gate-answer.ts"
import { callerOf, type GateIdentity, type GateRouteContext, isServedHere, ownKey } from "./gate-context.ts"

/** `name`: what the address names, where it names something. */
export type PostRoute = (text: string, who: GateIdentity, name: string) => Promise<GateAnswer> | GateAnswer

/** The most values that an agent may send in one message, and as many again from its program. */
const mostValues = 2 * defaultJsonValues
/** Listings and results are a server's words: nobody holds or shows them value by value. */
const mostValuesOfServers = 1_000_000

/** By address; `:name` stands for a name in it. */
export type PostRoutes = ReadonlyMap<string, PostRoute>

const named = (path: (name: string) => string): string => path(":name").replace("%3A", ":")

export function postRoutes(doors: GateRouteContext): PostRoutes {
  const { gate } = doors
  const takingUpTo =
    (values: number) =>
    <Schema extends z.ZodType>(
      schema: Schema,
      answer: (body: z.output<Schema>, who: GateIdentity, name: string) => Promise<GateAnswer> | GateAnswer,
    ): PostRoute => {
      return (text, who, name) => {
        const read = readJson(text, { bytes: doors.maxBodyBytes, values })
        if (!read.ok) return problem("bad-body", read.problem.message)
        const parsed = schema.safeParse(read.value)
        if (!parsed.success) return problem("bad-body", parsed.error.issues.map(sayIssue).join("; "))
        return answer(parsed.data, who, name)
      }
    }
  const taking = takingUpTo(mostValues)
  const takingWordsOfServers = takingUpTo(mostValuesOfServers)
  const submit = taking(submitBody, (body, who) => followSubmission(doors, who, body))
  const resume = taking(resumeBody, (body, who) => followRun(doors, who, body))
  const judge = taking(judgeBody, async ({ from, targets, args, connection, program }, who) => {
    const own = program === undefined ? {} : { listed: { program: programDefinition(program) } }
    const over = connection === undefined ? {} : { connection }
    const caller = { ...callerOf(who, from), ...over, ...own }
    return given({ decisions: await Promise.all(targets.map((target) => gate.judge(target, args, caller))) })
  })
  /** Does what the gate remembers of a server, within the credential's share; people are shown the server. */
  const makeKnown = (
    { token }: GateIdentity,
    server: string,
    tools: readonly ToolDefinition[],
    see: () => Promise<unknown>,
  ): Promise<string | null> =>
    doors.shares.within(token, { server, tools }, async () => {
      await see()
      await doors.seeServer?.(server, token).catch((trouble) => doors.onTrouble?.(trouble))
    })
  const tools = takingWordsOfServers(toolsBody, async ({ server, tools, program }, who) => {
    if (isServedHere(doors, server)) return problem("not-yours")
    const listed = withProgram(tools, program)
    const refused = await makeKnown(who, server, listed, () =>
      gate.seeTools(server, listed, doors.listings.elsewhere(server, listed)),
    )
    if (refused !== null) return problem("too-many", refused)
    doors.told.add(ownKey(who, server))
    const { id } = doors.listings.add(server, listed)
    const isOtherProgram = (await doors.isOtherProgram?.(server)) === true
    return given({ instance: id, isOtherProgram } satisfies ToolsAnswer)
  })
  const offered = takingWordsOfServers(toolsBody, async ({ server, tools }) => {
    if (isServedHere(doors, server)) return problem("not-yours")
    const byName = new Map((await gate.offeredTools(server, tools)).map((tool) => [tool.name, tool]))
    const instead = tools.map((tool) => {
      const told = byName.get(tool.name) ?? null
      return told === tool ? true : told
    })
    return given({ offered: instead } satisfies OfferedAnswer)
  })
  const instructions = taking(instructionsBody, async ({ server, instructions: said }, who) => {
    if (isServedHere(doors, server)) return problem("not-yours")
    let told: string | undefined
    const refused = await makeKnown(who, server, [], async () => {
      told = await gate.seeInstructions(server, said)
    })
    if (refused !== null) return problem("too-many", refused)
    return given({ instructions: told ?? null } satisfies InstructionsAnswer)
  })
  const cancel = taking(cancelBody, async ({ from, approval, detail }, who) => {
    const { principal } = callerOf(who, from)
    return given(await gate.cancel(approval, principal.id, detail))
  })
  const answer = taking(clientAnswerBody, (body, who) => answerInClient(doors, who, body))
  const end = taking(endBody, async ({ from }, who) => {
    const { session } = callerOf(who, from)
    await (doors.attendance === undefined ? gate.endSession(session) : doors.attendance.end(session))
    return given({})
  })
  const attend = taking(attendBody, ({ from }, who) => {
    const { attendance } = doors
    if (attendance === undefined) return problem("not-found")
    return {
      follow: (listener) => {
        listener.say({ type: "attended" })
        return attendance.attend(callerOf(who, from).session, listener)
      },
    }
  })
  const seen = taking(seenBody, ({ from, client, folder }, who) => {
    doors.see?.({ session: callerOf(who, from).session, client, folder })
    return given({})
  })
  const settle = takingWordsOfServers(settleBody, (outcome, who, name) => {
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
    [gatePaths.tools, tools],
    [gatePaths.offered, offered],
    [gatePaths.instructions, instructions],
    [gatePaths.cancel, cancel],
    [gatePaths.end, end],
    [gatePaths.seen, seen],
    [gatePaths.attend, attend],
    [gatePaths.answer, answer],
    [named(gatePaths.settle), settle],
    [named(gatePaths.leave), leave],
  ])
}

function sayIssue({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }): string {
  return path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`
}
