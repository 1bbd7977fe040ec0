import { shownDigest } from "@byleave/api"
import type { Command } from "commander"
import { RefusedByService } from "../../decide/reviewer-client.ts"
import { asReviewer, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { sessionsOf } from "../../decide/sessions-of.ts"
import { type RevealFlags, refuseUnseen, revealBy, revealWords, showWhole } from "../../decide/show-whole.ts"
import { theCalls } from "../../decide/the-calls.ts"
import { callsWith, wholeCalls } from "../../decide/waiting-calls.ts"
import type { Done, Io } from "../../io.ts"
import { jsonLines } from "../../terminal/paint.ts"

const rerunnable =
  "Only calls that failed or whose outcome is unknown can be rerun; otherwise have the agent call again."

export function addRerun(program: Command, io: Io, done: Done): void {
  withReviewerOptions(program.command("rerun <ids...>"))
    .description("rerun calls that failed or whose outcome is unknown, as a new approval")
    .option("--reveal", revealWords)
    .action(async (ids: readonly string[], flags: RevealFlags) => {
      done(
        await asReviewer(io, flags, async (desk) => {
          const ended = await callsWith(desk.client, "unknown,failed")
          const all = ended.map(({ id }) => id)
          const named = await theCalls(desk.client, ended, ids, rerunnable)
          const chosen = await wholeCalls(desk.client, named)
          const sessions = await sessionsOf(desk.client, chosen)
          for (const view of chosen) showWhole(io, view, { all, sessions, reveal: revealBy(flags) })
          refuseUnseen(chosen, flags)
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
          if (failed !== undefined && !failed.ok) throw new RefusedByService(1, failed.problem.detail)
          return 0
        }),
      )
    })
}
