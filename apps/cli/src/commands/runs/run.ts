import { showText } from "@byleave/core"
import type { Command } from "commander"
import { RefusedByService } from "../../decide/reviewer-client.ts"
import { asReviewer, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { answerOf } from "../../decide/waiting-calls.ts"
import type { Done, Io } from "../../io.ts"
import { type FollowFlags, followRun, revealRunWords } from "../../runs/follow-run.ts"

type RunFlags = FollowFlags & {
  readonly model?: string
  readonly server?: readonly string[]
  readonly instructions?: string
  readonly maxSteps?: string
}

export function addRun(program: Command, io: Io, done: Done): void {
  withReviewerOptions(program.command("run <prompt>"))
    .description("have an agent do a task; what the policy asks about waits for you, and the run with it")
    .option("--model <name>", "a model of the configuration (default: the first)")
    .option("--server <id>", "a server whose tools it may use; repeat for several (default: all)", collect)
    .option("--instructions <words>", "what the model is told besides the task")
    .option("--max-steps <count>", "stop after so many answers of the model")
    .option("--no-wait", "come back when the run pauses, instead of waiting for the answers")
    .option("--reveal", revealRunWords)
    .addHelpText("after", examples)
    .action(async (prompt: string, flags: RunFlags) => {
      done(
        await asReviewer(io, flags, async (desk) => {
          if (prompt.trim() === "") throw new RefusedByService(2, "Say what the agent is to do.")
          const body = {
            prompt,
            ...(flags.model === undefined ? {} : { model: flags.model }),
            ...(flags.server === undefined ? {} : { servers: [...flags.server] }),
            ...(flags.instructions === undefined ? {} : { instructions: flags.instructions }),
            ...(flags.maxSteps === undefined ? {} : { maxSteps: countOf(flags.maxSteps) }),
          }
          const client = await desk.present()
          const { run_id: id } = answerOf(await client.startRun({ query: { wait: 0 }, body }))
          if (!flags.json) io.stderr.write(`Run ${showText(id)}\n`)
          return followRun(io, desk, id, flags)
        }),
      )
    })
}

const examples = `
Examples:
  byleave run "tidy my notes"
  byleave run "what is in the notes?" --server files --no-wait
  byleave run "sum up the open issues" --model main --json

With --json, prints the run once it pauses or is over. Ctrl-C leaves the run, which goes on; byleave runs list shows it.
Exit codes: 0 finished, paused or left; 1 failed or cancelled.`

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

function countOf(written: string): number {
  const count = Number(written)
  if (Number.isSafeInteger(count) && count >= 1) return count
  throw new RefusedByService(2, "--max-steps takes a number, such as 20.")
}
