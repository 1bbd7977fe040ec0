import type { AnsweredAll, ApprovalView } from "@byleave/api"
import { showText, toolName } from "@byleave/core"
import type { Command } from "commander"
import { callLines } from "../decide/call-lines.ts"
import { type Desk, Refused } from "../decide/desk.ts"
import { atDesk, type DeskFlags, withDeskOptions } from "../decide/desk-command.ts"
import { type RememberFlags, rememberOf } from "../decide/remembering.ts"
import { shortId } from "../decide/short-id.ts"
import { theCalls } from "../decide/the-calls.ts"
import { answerOf, callsWith } from "../decide/waiting-calls.ts"
import type { Done, ExitCode, Io } from "../io.ts"
import { createPaint, jsonLines, sentenceLines } from "../paint.ts"

type VerdictFlags = DeskFlags & RememberFlags & { readonly reason?: string; readonly all?: true }
type Kind = "approve" | "deny"

export function addApprove(program: Command, io: Io, done: Done): void {
  addVerdict(program, io, done, "approve")
}

export function addDeny(program: Command, io: Io, done: Done): void {
  addVerdict(program, io, done, "deny")
}

const words = {
  approve: {
    does: "let waiting calls run, once unless you say more",
    session: "allow it for the rest of this session",
    always: "allow it from now on",
  },
  deny: {
    does: "refuse waiting calls",
    session: "refuse it for the rest of this session",
    always: "refuse it from now on",
  },
} as const

function addVerdict(program: Command, io: Io, done: Done, kind: Kind): void {
  const says = words[kind]
  withDeskOptions(program.command(`${kind} <ids...>`))
    .description(`${says.does}; an id's beginning or end will do`)
    .option("--session", says.session)
    .option("--always", says.always)
    .option("--server", "with these: not this tool alone, but all tools of its server")
    .option("--for <time>", "remember it that long, such as 30m")
    .option("--uses <count>", "remember it for that many calls")
    .option("--reason <words>", kind === "deny" ? "told to the agent" : "kept in the audit")
    .action(async (ids: readonly string[], flags: VerdictFlags) => {
      done(await atDesk(io, flags, (desk) => decide(io, desk, kind, ids, flags)))
    })
}

const longestReason = 2_000

async function decide(io: Io, desk: Desk, kind: Kind, ids: readonly string[], flags: VerdictFlags): Promise<ExitCode> {
  if ((flags.reason?.length ?? 0) > longestReason) {
    throw new Refused(
      2,
      `--reason takes at most ${longestReason} characters, and got ${flags.reason?.length}. Say less.`,
    )
  }
  const waiting = await callsWith(desk.client, "pending")
  const chosen = await theCalls(desk.client, waiting, ids)
  const now = io.now()
  const verdicts = chosen.map((view) => {
    const remember = rememberOf(flags, view, now)
    return {
      approval: view.id,
      kind,
      digest: view.runDigest,
      ...(flags.reason === undefined ? {} : { reason: flags.reason }),
      ...(remember === undefined ? {} : { remember }),
    }
  })
  if (!flags.json && kind === "approve") show(io, chosen, waiting)
  const client = kind === "approve" ? await desk.present() : desk.client
  const { answers } = answerOf(await client.giveVerdicts({ body: { verdicts } }))
  if (flags.json) io.stdout.write(jsonLines({ answers }))
  else for (const [at, answer] of answers.entries()) io.stdout.write(`${answerLine(answer, chosen[at], kind)}\n`)
  return answers.every(({ ok }) => ok) ? 0 : 1
}

/** What is about to be approved is in front of whoever types the PIN. */
function show(io: Io, chosen: readonly ApprovalView[], waiting: readonly ApprovalView[]): void {
  const paint = createPaint(io.stderr, io.env)
  const all = waiting.map(({ id }) => id)
  for (const view of chosen) {
    const options = { short: shortId(view.id, all), now: io.now(), paint, most: Number.POSITIVE_INFINITY }
    io.stderr.write(`${callLines(view, options)}\n`)
  }
}

function answerLine(answer: AnsweredAll["answers"][number], view: ApprovalView | undefined, kind: Kind): string {
  const name = view === undefined ? "" : showText(toolName(view.tool))
  if (!answer.ok)
    return `${name} was not ${kind === "approve" ? "approved" : "denied"}: ${sentenceLines(answer.problem.detail)}`
  const { approval, grant } = answer
  const remembered = grant === null ? "" : ` Remembered: ${sentenceLines(grant.words)}`
  return `${name} ${sayStatus(approval, kind)}${remembered}`
}

function sayStatus(approval: ApprovalView, kind: Kind): string {
  if (approval.status === "pending") {
    return `has ${approval.votes.length} of the ${approval.needs.approvals} approvals it needs.`
  }
  if (kind === "deny") return "is denied."
  return approval.callerWaits || approval.status !== "approved"
    ? "is approved, and runs."
    : "is approved: it runs when the agent repeats the call."
}

const rerunnable =
  "Only what failed, or whose outcome nobody knows, is run anew; for anything else, let the agent make the call again."

export function addRerun(program: Command, io: Io, done: Done): void {
  withDeskOptions(program.command("rerun <ids...>"))
    .description("run anew what failed or was lost: a new approval that names the old one")
    .action(async (ids: readonly string[], flags: DeskFlags) => {
      done(
        await atDesk(io, flags, async (desk) => {
          const ended = await callsWith(desk.client, "unknown,failed")
          const chosen = await theCalls(desk.client, ended, ids, rerunnable)
          show(io, chosen, ended)
          const client = await desk.present()
          const answers = []
          for (const { id, runDigest } of chosen) {
            answers.push(await client.rerunApproval({ params: { id }, body: { digest: runDigest } }))
          }
          const failed = answers.find((answer) => !answer.ok)
          if (flags.json)
            io.stdout.write(jsonLines({ answers: answers.map((answer) => (answer.ok ? answer.value : answer)) }))
          else
            for (const answer of answers)
              if (answer.ok)
                io.stdout.write(
                  `Approved anew as ${answer.value.approval.id}: it runs when the agent repeats the call.\n`,
                )
          if (failed !== undefined && !failed.ok) throw new Refused(1, failed.problem.detail)
          return 0
        }),
      )
    })
}
