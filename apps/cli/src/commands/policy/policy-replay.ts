import type { PolicyPreviewView } from "@byleave/api"
import { showText, toolName } from "@byleave/core"
import type { Command } from "commander"
import { countOf } from "../../config/problem-lines.ts"
import { durationOf } from "../../decide/remembering.ts"
import { RefusedByService } from "../../decide/reviewer-client.ts"
import { asReviewer, type ReviewerFlags, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { answerOf } from "../../decide/waiting-calls.ts"
import { readText } from "../../files/read-text.ts"
import type { Done, ExitCode, Io } from "../../io.ts"
import { createPaint, jsonLines, type Paint } from "../../terminal/paint.ts"

type Flags = ReviewerFlags & { readonly config: string; readonly since: string }

export function addPolicyReplay(policy: Command, io: Io, done: Done): void {
  withReviewerOptions(
    policy
      .command("replay")
      .description("judge recorded calls again by another configuration: exactly which decisions change")
      .requiredOption("--config <file>", "the configuration to try; nothing of it is applied")
      .option("--since <duration>", "how far back to look, such as 12h or 30d", "7d"),
  )
    .addHelpText("after", examples)
    .action(async (flags: Flags) => done(await policyReplay(flags, io)))
}

const examples = `
The running service judges each recorded call by its own policy and by this file, with everything else as it was. Calls that nobody can
judge again are counted as skipped: their arguments are gone, or a limit or a changed definition decided them. Relative
paths in the file start where the service's own file lies.

The exit code is 1 when the file would allow a call that a person denied, and when it cannot be used.

Examples:
  byleave policy replay --config new.yaml
  byleave policy replay --config new.yaml --since 30d --json`

type Different = PolicyPreviewView["calls"]["different"][number]

function policyReplay(flags: Flags, io: Io): Promise<ExitCode> {
  return asReviewer(io, flags, async ({ client }) => {
    const read = await readText(flags.config, io)
    if (!read.ok) throw new RefusedByService(1, read.problem)
    const since = io.now() - durationOf(flags.since)
    const { problems, calls } = answerOf(await client.previewPolicy({ body: { text: read.text, since } }))
    const errors = problems.filter(({ severity }) => severity === "error")
    if (errors.length > 0) {
      const lines = errors.map(({ line, message }) => `${line === null ? "" : `line ${line}: `}${message}`)
      throw new RefusedByService(1, `${showText(flags.config)} is invalid.\n${lines.join("\n")}`)
    }
    const wrong = calls.different.filter(allowsDenied)
    const paint = createPaint(io.stdout, io.env)
    io.stdout.write(
      flags.json === true ? jsonLines({ ...calls, allowsDenied: wrong.length }) : textOf(calls, wrong.length, paint),
    )
    return wrong.length > 0 ? 1 : 0
  })
}

function allowsDenied({ after, wasDenied }: Different): boolean {
  return after === "allow" && wasDenied
}

function textOf({ looked, skipped, different }: PolicyPreviewView["calls"], wrong: number, paint: Paint): string {
  const lines = different.map((one) => {
    const mark = allowsDenied(one) ? paint("red", " a person denied it") : ""
    const change = `${one.before} → ${one.after}`
    return `${new Date(one.at).toISOString()}  ${change.padEnd(13)}  ${showText(toolName(one.tool))}  ${showText(one.principal)}${mark}\n    ${showText(one.why)}\n`
  })
  const left = skipped === 0 ? "" : ` ${countOf(skipped, "call")} could not be judged again.`
  const summary = `${countOf(looked, "recorded call")}: ${countOf(different.length, "decision")} would change.${left}`
  const warning =
    wrong === 0 ? "" : `${paint("red", `${countOf(wrong, "call")} that a person denied would be allowed.`)}\n`
  return `${lines.join("")}${lines.length === 0 ? "" : "\n"}${summary}\n${warning}`
}
