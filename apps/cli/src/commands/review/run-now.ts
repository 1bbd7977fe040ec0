import { type Answered, shownDigest } from "@byleave/api"
import { shownName, toolName } from "@byleave/core"
import type { Command } from "commander"
import { inRow } from "../../decide/in-row.ts"
import { RefusedByService, type ReviewerClient } from "../../decide/reviewer-client.ts"
import { asReviewer, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { sessionsOf } from "../../decide/sessions-of.ts"
import { type RevealFlags, refuseUnseen, revealBy, revealWords, showWhole } from "../../decide/show-whole.ts"
import { theCalls } from "../../decide/the-calls.ts"
import { callsWith, wholeCalls } from "../../decide/waiting-calls.ts"
import type { Done, ExitCode, Io } from "../../io.ts"
import { jsonLines, sentenceLines } from "../../terminal/paint.ts"

const permitsOnly = "Only an approved call that no agent is waiting for can be run now."

export function addRunNow(program: Command, io: Io, done: Done): void {
  withReviewerOptions(program.command("run-now <ids...>"))
    .description("run approved calls whose agent cannot come back: once, and their results are kept for the agent")
    .option("--reveal", revealWords)
    .action(async (ids: readonly string[], flags: RevealFlags) => {
      done(await asReviewer(io, flags, (desk) => runNow(io, desk, ids, flags)))
    })
}

async function runNow(io: Io, desk: ReviewerClient, ids: readonly string[], flags: RevealFlags): Promise<ExitCode> {
  const permits = (await callsWith(desk.client, "approved")).filter(({ callerWaits }) => !callerWaits)
  const named = await theCalls(desk.client, permits, ids, permitsOnly)
  const chosen = await wholeCalls(desk.client, named)
  for (const { tool, runNowOffer: offer } of chosen) {
    if (typeof offer?.why === "string")
      throw new RefusedByService(1, `${shownName(toolName(tool))} was not run. ${offer.why}`)
  }
  const sessions = await sessionsOf(desk.client, chosen)
  const among = { all: permits.map(({ id }) => id), sessions, reveal: revealBy(flags) }
  for (const view of chosen) showWhole(io, view, among)
  refuseUnseen(chosen, flags)
  const client = await desk.present()
  const answers = []
  for (const view of chosen) {
    const body = { digest: await shownDigest(view) }
    answers.push(await client.runApprovalNow({ params: { id: view.id }, body }))
  }
  const failed = answers.find((answer) => !answer.ok)
  if (flags.json) io.stdout.write(jsonLines({ answers: answers.map((answer) => (answer.ok ? answer.value : answer)) }))
  else
    for (const answer of answers)
      if (answer.ok) io.stdout.write(`${inRow(sentenceLines(sayEnd(answer.value)), io.stdout)}\n`)
  if (failed !== undefined && !failed.ok) throw new RefusedByService(1, failed.problem.detail)
  return answers.every((answer) => answer.ok && endsWell.has(answer.value.approval.status)) ? 0 : 1
}

const endsWell: ReadonlySet<string> = new Set(["running", "succeeded"])

function sayEnd({ approval }: Answered): string {
  const name = shownName(toolName(approval.tool))
  switch (approval.status) {
    case "running":
      return `${name} is running. Its result is kept for the agent.`
    case "succeeded":
      return `${name} ran and succeeded. Its result is kept for the agent, who gets it by making the same call again.`
    case "failed":
      return `${name} ran, and its server said no. The agent gets the error by making the same call again.`
    default:
      return `${name} was sent, and nobody can tell what became of it. Look at what it was to change.`
  }
}
