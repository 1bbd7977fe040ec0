import {
  type AnsweredAll,
  type ApprovalSummaryView,
  type ApprovalView,
  bindVerdict,
  type UnboundVerdict,
} from "@byleave/api"
import { describeRemembered, isRunPrincipal, newGrant, scopeOfAnswer, toolName } from "@byleave/core"
import type { Command } from "commander"
import { calledWords } from "../../decide/call-row.ts"
import { inRow } from "../../decide/in-row.ts"
import { type RememberFlags, rememberOf } from "../../decide/remembering.ts"
import { RefusedByService, type ReviewerClient } from "../../decide/reviewer-client.ts"
import { asReviewer, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { nameAmongWords } from "../../decide/session-lines.ts"
import { sessionsOf } from "../../decide/sessions-of.ts"
import { shortId } from "../../decide/short-id.ts"
import { type RevealFlags, refuseUnseen, revealBy, revealWords, showWhole } from "../../decide/show-whole.ts"
import { theCalls } from "../../decide/the-calls.ts"
import { answerOf, callsWith, wholeCalls } from "../../decide/waiting-calls.ts"
import { sentenceRows } from "../../decide/wrap-line.ts"
import type { Done, ExitCode, Io } from "../../io.ts"
import { jsonLines, sentenceLines } from "../../terminal/paint.ts"

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
  const command = withReviewerOptions(program.command(`${kind} <ids...>`))
    .description(`${says.does}; the start or end of an ID is enough`)
    .option("--session", says.session)
    .option("--always", says.always)
    .option("--server", "with these: all tools of the server, not just this one")
    .option("--for <time>", "how long it lasts, such as 30m")
    .option("--uses <count>", "how many calls it covers")
    .option("--reason <words>", kind === "deny" ? "reason, shown to the agent" : "reason, kept in the audit trail")
    .action(async (ids: readonly string[], flags: VerdictFlags) => {
      done(await asReviewer(io, flags, (desk) => decide(io, desk, kind, ids, flags)))
    })
  if (kind === "approve") command.option("--reveal", revealWords)
}

const longestReason = 2_000

async function decide(
  io: Io,
  desk: ReviewerClient,
  kind: Kind,
  ids: readonly string[],
  flags: VerdictFlags,
): Promise<ExitCode> {
  if ((flags.reason?.length ?? 0) > longestReason) {
    throw new RefusedByService(
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
    return {
      view,
      verdict: { kind, face: "terminal" as const, ...reason, ...(remember === undefined ? {} : { remember }) },
    }
  })
  const all = waiting.map(({ id }) => id)
  if (kind === "approve") {
    const sessions = await sessionsOf(desk.client, chosen)
    const among = { all, sessions, reveal: revealBy(flags) }
    for (const { view, verdict } of given) showWhole(io, view, among, rememberLines(view, verdict, now))
    refuseUnseen(chosen, flags)
  }
  const verdicts = given.map(async ({ view, verdict }) => ({
    approval: view.id,
    ...(await bindVerdict(view, verdict)),
  }))
  const client = kind === "approve" ? await desk.present() : desk.client
  const { answers } = answerOf(await client.giveVerdicts({ body: { verdicts: await Promise.all(verdicts) } }))
  if (flags.json) io.stdout.write(jsonLines({ answers }))
  else {
    const names = chosen.map((view) =>
      chosen.length === 1 ? nameAmongWords(toolName(view.tool)) : `${shortId(view.id, all)}  ${calledWords(view)}`,
    )
    for (const [at, answer] of answers.entries())
      io.stdout.write(`${inRow(answerLine(answer, names[at] ?? "", kind), io.stdout)}\n`)
  }
  return answers.every(({ ok }) => ok) ? 0 : 1
}

/** Describes what the answer will be remembered as, by the rule the service makes of it. */
function rememberLines(view: ApprovalView, { kind, remember }: UnboundVerdict, now: number): readonly string[] {
  if (remember === undefined) return []
  const { scope, breadth, until, uses } = remember
  const grant = newGrant({
    ...{ id: "", breadth, until, uses, from: view.id, by: "", at: now },
    effect: kind === "approve" ? "allow" : "deny",
    ...scopeOfAnswer(scope, view),
  })
  return "code" in grant ? [] : sentenceRows("  save       ", describeRemembered(grant, { now }).words)
}

function answerLine(answer: AnsweredAll["answers"][number], name: string, kind: Kind): string {
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
  if (approval.status === "approved" && isRunPrincipal(approval.principal.id))
    return "is approved; its agent run goes on with it."
  return approval.callerWaits || approval.status !== "approved"
    ? "is approved and running."
    : "is approved and will run when the agent repeats the call."
}
