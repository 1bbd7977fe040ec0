import {
  type AnsweredAll,
  type ApprovalSummaryView,
  type ApprovalView,
  bindVerdict,
  shownDigest,
  type UnboundVerdict,
} from "@byleave/api"
import { describeRemembered, newGrant, showText, toolName } from "@byleave/core"
import type { Command } from "commander"
import { callLines } from "../decide/call-lines.ts"
import { type Desk, Refused } from "../decide/desk.ts"
import { atDesk, type DeskFlags, withDeskOptions } from "../decide/desk-command.ts"
import { countMasked, hiddenWords, type Reveal, revealed } from "../decide/masks.ts"
import { type RememberFlags, rememberOf } from "../decide/remembering.ts"
import { type SessionsByKey, sessionsOf } from "../decide/sessions-of.ts"
import { shortId } from "../decide/short-id.ts"
import { theCalls } from "../decide/the-calls.ts"
import { answerOf, callsWith, wholeCalls } from "../decide/waiting-calls.ts"
import type { Done, ExitCode, Io } from "../io.ts"
import { createPaint, jsonLines, sentenceLines } from "../paint.ts"

type RevealFlags = DeskFlags & { readonly reveal?: true }
type VerdictFlags = RevealFlags & RememberFlags & { readonly reason?: string; readonly all?: true }
type Kind = "approve" | "deny"

export function addApprove(program: Command, io: Io, done: Done): void {
  addVerdict(program, io, done, "approve")
}

export function addDeny(program: Command, io: Io, done: Done): void {
  addVerdict(program, io, done, "deny")
}

const words = {
  approve: {
    does: "allow waiting calls, once by default",
    session: "allow the tool for the rest of this session (30 minutes if sessions are not distinguished)",
    always: "always allow the tool",
  },
  deny: {
    does: "deny waiting calls",
    session: "deny the tool for the rest of this session (30 minutes if sessions are not distinguished)",
    always: "always deny the tool",
  },
} as const

function addVerdict(program: Command, io: Io, done: Done, kind: Kind): void {
  const says = words[kind]
  const command = withDeskOptions(program.command(`${kind} <ids...>`))
    .description(`${says.does}; the start or end of an ID is enough`)
    .option("--session", says.session)
    .option("--always", says.always)
    .option("--server", "with these: all tools of the server, not just this one")
    .option("--for <time>", "how long it lasts, such as 30m")
    .option("--uses <count>", "how many calls it covers")
    .option("--reason <words>", kind === "deny" ? "reason, shown to the agent" : "reason, kept in the audit trail")
    .action(async (ids: readonly string[], flags: VerdictFlags) => {
      done(await atDesk(io, flags, (desk) => decide(io, desk, kind, ids, flags)))
    })
  if (kind === "approve") command.option("--reveal", revealWords)
}

const revealWords = "also show likely secrets; required to approve a call that contains any"

const longestReason = 2_000

async function decide(io: Io, desk: Desk, kind: Kind, ids: readonly string[], flags: VerdictFlags): Promise<ExitCode> {
  if ((flags.reason?.length ?? 0) > longestReason) {
    throw new Refused(
      2,
      `--reason takes at most ${longestReason} characters; this one has ${flags.reason?.length}. Shorten it.`,
    )
  }
  const waiting = await callsWith(desk.client, "pending")
  const named = await theCalls(desk.client, waiting, ids)
  const chosen = await wholeCalls(desk.client, named)
  const now = io.now()
  const given = chosen.map((view) => {
    const remember = rememberOf(flags, view, now)
    const reason = flags.reason === undefined ? {} : { reason: flags.reason }
    return { view, verdict: { kind, ...reason, ...(remember === undefined ? {} : { remember }) } }
  })
  const all = waiting.map(({ id }) => id)
  if (kind === "approve") {
    const sessions = await sessionsOf(desk.client, chosen)
    const among = { all, sessions, reveal: revealBy(flags) }
    for (const { view, verdict } of given) show(io, view, among, rememberLines(view, verdict, now))
    if (!flags.reveal) refuseUnseen(chosen)
  }
  const verdicts = given.map(async ({ view, verdict }) => ({
    approval: view.id,
    ...(await bindVerdict(view, verdict)),
  }))
  const client = kind === "approve" ? await desk.present() : desk.client
  const { answers } = answerOf(await client.giveVerdicts({ body: { verdicts: await Promise.all(verdicts) } }))
  if (flags.json) io.stdout.write(jsonLines({ answers }))
  else for (const [at, answer] of answers.entries()) io.stdout.write(`${answerLine(answer, chosen[at], kind)}\n`)
  return answers.every(({ ok }) => ok) ? 0 : 1
}

/** The ids among which a call's must be told apart, and what is known of sessions. */
type Among = { readonly all: readonly string[]; readonly sessions: SessionsByKey; readonly reveal: Reveal }

function revealBy({ reveal }: RevealFlags): Reveal {
  return reveal ? revealed : { isShown: false, by: "--reveal" }
}

/** Nobody says yes to what was not there to be seen. */
function refuseUnseen(chosen: readonly ApprovalView[]): void {
  const count = chosen.reduce((sum, view) => sum + countMasked(view), 0)
  const problem = hiddenWords(count, "Nothing was decided. Add --reveal to show everything and approve.")
  if (problem !== null) throw new Refused(1, problem)
}

/** All that is about to be approved is in front of whoever types the PIN, also where a program reads the answer. */
function show(io: Io, view: ApprovalView, { all, sessions, reveal }: Among, remembered = ""): void {
  const options = {
    ...{ short: shortId(view.id, all), now: io.now(), paint: createPaint(io.stderr, io.env) },
    session: sessions.get(view.sessionKey),
    reveal,
  }
  io.stderr.write(`${callLines(view, options)}${remembered}\n`)
}

/** Describes what the answer will be remembered as, by the rule the service makes of it. */
function rememberLines(view: ApprovalView, { kind, remember }: UnboundVerdict, now: number): string {
  if (remember === undefined) return ""
  const { scope, breadth, until, uses } = remember
  const grant = newGrant({
    ...{ id: "", breadth, until, uses, from: view.id, by: "", at: now },
    effect: kind === "approve" ? "allow" : "deny",
    session: scope === "session" ? view.session : undefined,
  })
  return "code" in grant ? "" : `  save       ${sentenceLines(describeRemembered(grant, { now }).words)}\n`
}

function answerLine(answer: AnsweredAll["answers"][number], view: ApprovalView | undefined, kind: Kind): string {
  const name = view === undefined ? "" : showText(toolName(view.tool))
  if (!answer.ok)
    return `${name} was not ${kind === "approve" ? "approved" : "denied"}: ${sentenceLines(answer.problem.detail)}`
  const { approval, grant } = answer
  const remembered = grant === null ? "" : ` Saved: ${sentenceLines(grant.words)}`
  return `${name} ${sayStatus(approval, kind)}${remembered}`
}

function sayStatus(approval: ApprovalSummaryView, kind: Kind): string {
  if (approval.status === "pending") {
    return `has ${approval.votes.length} of the ${approval.needs.approvals} approvals it needs.`
  }
  if (kind === "deny") return "is denied."
  return approval.callerWaits || approval.status !== "approved"
    ? "is approved and running."
    : "is approved and will run when the agent repeats the call."
}

const rerunnable =
  "Only calls that failed or whose outcome is unknown can be rerun; otherwise have the agent call again."

export function addRerun(program: Command, io: Io, done: Done): void {
  withDeskOptions(program.command("rerun <ids...>"))
    .description("rerun calls that failed or whose outcome is unknown, as a new approval")
    .option("--reveal", "also show likely secrets")
    .action(async (ids: readonly string[], flags: RevealFlags) => {
      done(
        await atDesk(io, flags, async (desk) => {
          const ended = await callsWith(desk.client, "unknown,failed")
          const all = ended.map(({ id }) => id)
          const named = await theCalls(desk.client, ended, ids, rerunnable)
          const chosen = await wholeCalls(desk.client, named)
          const sessions = await sessionsOf(desk.client, chosen)
          for (const view of chosen) show(io, view, { all, sessions, reveal: revealBy(flags) })
          const client = await desk.present()
          const answers = []
          for (const view of chosen) {
            const body = { digest: await shownDigest(view) }
            answers.push(await client.rerunApproval({ params: { id: view.id }, body }))
          }
          const failed = answers.find((answer) => !answer.ok)
          if (flags.json)
            io.stdout.write(jsonLines({ answers: answers.map((answer) => (answer.ok ? answer.value : answer)) }))
          else
            for (const answer of answers)
              if (answer.ok)
                io.stdout.write(
                  `Approved again as ${answer.value.approval.id}. It runs when the agent repeats the call.\n`,
                )
          if (failed !== undefined && !failed.ok) throw new Refused(1, failed.problem.detail)
          return 0
        }),
      )
    })
}
