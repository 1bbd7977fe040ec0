import type { RunView } from "@byleave/api"
import { showText } from "@byleave/core"
import { type Command, Option } from "commander"
import { cutLine } from "../../decide/cut-line.ts"
import { asReviewer, type ReviewerFlags, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { shortId } from "../../decide/short-id.ts"
import { table } from "../../decide/table.ts"
import { shortAge } from "../../decide/time-words.ts"
import { answerOf } from "../../decide/waiting-calls.ts"
import type { Done, Io } from "../../io.ts"
import { type FollowFlags, followRun, revealRunWords, runLinesOptions } from "../../runs/follow-run.ts"
import { runLines, statusWords, storyLines, waitingLines } from "../../runs/run-lines.ts"
import { listedRuns, theRun } from "../../runs/the-run.ts"
import { endedLegs, wholeStory } from "../../runs/whole-story.ts"
import { createPaint, jsonLines } from "../../terminal/paint.ts"
import { addExport, addImport, addRecord } from "./carry-runs.ts"

const statuses = ["running", "paused", "finished", "failed", "cancelled"] as const

/** Of a title in a line: it does not reach the end of the terminal's row. */
const widestTitle = 50

type ListFlags = ReviewerFlags & { readonly status?: (typeof statuses)[number] }
type ShowFlags = FollowFlags & { readonly follow?: true }
type ContinueFlags = FollowFlags & { readonly model?: string }

export function addRuns(program: Command, io: Io, done: Done): void {
  const runs = program.command("runs").description("manage agent runs").helpCommand(false)
  addList(runs, io, done)
  addShow(runs, io, done)
  addContinue(runs, io, done)
  addCancel(runs, io, done)
  addExport(runs, io, done)
  addImport(runs, io, done)
  addRecord(runs, io, done)
}

function addList(runs: Command, io: Io, done: Done): void {
  withReviewerOptions(runs.command("list"))
    .description("list agent runs, newest first")
    .addOption(new Option("--status <status>", "only these").choices(statuses))
    .action(async (flags: ListFlags) => {
      done(
        await asReviewer(io, flags, async ({ client }) => {
          const status = flags.status === undefined ? {} : { status: flags.status }
          const { items } = answerOf(await client.listRuns({ query: { limit: listedRuns, ...status } }))
          const paint = createPaint(io.stdout, io.env)
          const all = items.map(({ id }) => id)
          const rows = items.map((run) => [
            shortId(run.id, all),
            shortAge(io.now() - run.createdAt),
            statusWords(run, paint),
            cutLine(showText(run.title), widestTitle),
          ])
          if (flags.json) io.stdout.write(jsonLines({ runs: items }))
          else io.stdout.write(rows.length === 0 ? "No runs. Start one with byleave run PROMPT.\n" : table(rows, io))
          return 0
        }),
      )
    })
}

function addShow(runs: Command, io: Io, done: Done): void {
  withReviewerOptions(runs.command("show <id>"))
    .description("show an agent run: how it stands, what it waits for, what was said and done")
    .option("--follow", "go on showing it until it is over")
    .option("--reveal", revealRunWords)
    .action(async (written: string, flags: ShowFlags) => {
      done(
        await asReviewer(io, flags, async (desk) => {
          const { client, url } = desk
          const { id } = await theRun(client, written)
          const details = answerOf(await client.getRun({ params: { id } }))
          const how = runLinesOptions(io, flags)
          if (flags.json && !flags.follow) {
            io.stdout.write(jsonLines({ ...details, story: await wholeStory(client, id) }))
            return 0
          }
          if (!flags.json) {
            io.stdout.write(`${runLines(details.run, io.now(), how)}\n`)
            const story = await wholeStory(client, id)
            const isGoing = flags.follow && details.run.status === "running"
            for (const item of isGoing ? endedLegs(story) : story) io.stdout.write(storyLines(item, how))
          }
          const { legs, status } = details.run
          if (flags.follow) return followRun(io, desk, id, flags, status === "running" ? 0 : legs)
          if (details.run.status === "paused") io.stdout.write(`\n${waitingLines(details, url, how)}`)
          return 0
        }),
      )
    })
}

function addContinue(runs: Command, io: Io, done: Done): void {
  withReviewerOptions(runs.command("continue <id> [message]"))
    .description("send an agent run another message, or let one that failed try again")
    .option("--model <name>", "go on with this model of the configuration")
    .option("--no-wait", "come back when the run pauses, instead of waiting for the answers")
    .option("--reveal", revealRunWords)
    .addHelpText("after", continueExamples)
    .action(async (written: string, message: string | undefined, flags: ContinueFlags) => {
      done(
        await asReviewer(io, flags, async (desk) => {
          const { id } = await theRun(desk.client, written)
          const body = {
            ...(message === undefined ? {} : { message }),
            ...(flags.model === undefined ? {} : { model: flags.model }),
          }
          const client = await desk.present()
          answerOf(await client.continueRun({ params: { id }, query: { wait: 0 }, body }))
          return followRun(io, desk, id, flags)
        }),
      )
    })
}

const continueExamples = `
Examples:
  byleave runs continue 4f9a2c "now the shopping list, too"
  byleave runs continue 4f9a2c

What a run waits for is decided with byleave approve and byleave deny, or in the inbox; it then goes on by itself.`

function addCancel(runs: Command, io: Io, done: Done): void {
  withReviewerOptions(runs.command("cancel <ids...>"))
    .description("end agent runs and withdraw what waits for them")
    .action(async (written: readonly string[], flags: ReviewerFlags) => {
      done(
        await asReviewer(io, flags, async ({ client }) => {
          const cancelled: RunView[] = []
          for (const word of written) {
            const { id, title } = await theRun(client, word)
            cancelled.push(answerOf(await client.cancelRun({ params: { id } })))
            if (!flags.json) io.stdout.write(`Cancelled: ${cutLine(showText(title), widestTitle)}\n`)
          }
          if (flags.json) io.stdout.write(jsonLines({ cancelled }))
          return 0
        }),
      )
    })
}
