import { coverWords, type ObservedView, type ProposedRuleView, remainingWords } from "@byleave/api"
import { showText, toolName } from "@byleave/core"
import type { Command } from "commander"
import { countOf } from "../../config/problem-lines.ts"
import { acceptRules, inOwnWords } from "../../decide/accept-rules.ts"
import { durationOf } from "../../decide/remembering.ts"
import { asReviewer, type ReviewerFlags, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { answerOf } from "../../decide/waiting-calls.ts"
import type { Done, Io } from "../../io.ts"
import { createPaint, jsonLines, type Paint, safeLines } from "../../terminal/paint.ts"

type Flags = ReviewerFlags & { readonly since: string; readonly accept?: readonly string[] }

export function addPolicyObserved(policy: Command, io: Io, done: Done): void {
  withReviewerOptions(
    policy
      .command("observed")
      .description(
        "report what ran in observe mode and would have needed approval, and rules that would have halved it",
      )
      .option("--since <duration>", "how far back to look, such as 12h or 30d", "7d")
      .option("--accept <id...>", "add these rules to the configuration, or `all` of them"),
  )
    .addHelpText("after", examples)
    .action(async (flags: Flags) => done(await policyObserved(flags, io)))
}

const examples = `
Nobody answered these calls, so the rules say what your agents do, not what you allowed: read what each would allow. They cover nothing that
looks sensitive, destroys something or was denied. Nothing changes until you accept a rule. What allows more asks for your PIN.

Examples:
  byleave policy observed
  byleave policy observed --since 30d --json
  byleave policy observed --accept 3f9c1a20b7de`

function policyObserved(flags: Flags, io: Io) {
  return asReviewer(io, flags, async (desk) => {
    const since = io.now() - durationOf(flags.since)
    const told = answerOf(await desk.client.observedCalls({ query: { since } }))
    const report = { ...told, rules: inOwnWords(told.rules) }
    if (flags.accept === undefined) {
      const text = reportText(report, createPaint(io.stdout, io.env))
      io.stdout.write(flags.json === true ? jsonLines(report) : text)
      return 0
    }
    await acceptRules(io, desk, {
      ...{ offered: report.rules, ids: flags.accept, list: "byleave policy observed" },
      json: flags.json === true,
    })
    return 0
  })
}

function reportText(report: ObservedView, paint: Paint): string {
  const { wouldAsk, tools, agents, days, since } = report
  const from = dayOf(since)
  if (wouldAsk === 0) {
    return `Since ${from} nothing ran in observe mode that would have needed approval.\nObserve a session with \`byleave sessions mode SESSION --to observe --for 8h\`.\n`
  }
  return [
    `Since ${from}, ${countOf(wouldAsk, "call")} ran in observe mode that would have needed approval.\n`,
    countLines(
      "By tool",
      tools.map(({ tool, calls }) => [toolName(tool), calls]),
    ),
    countLines(
      "By agent",
      agents.map(({ agent, calls }) => [agent, calls]),
    ),
    countLines(
      "By day",
      days.map(({ day, calls }) => [dayOf(day), calls]),
    ),
    `\n${remainingWords(report)}\n`,
    ...(report.rules.length === 0 ? [] : ["Nobody was asked about these calls: check what each rule allows.\n"]),
    ...report.rules.map((one) => `\n${ruleText(one, paint)}`),
    ...(report.rules.length === 0 ? [] : ["\nAdd one with `byleave policy observed --accept ID`.\n"]),
    ...(report.isCut
      ? ["There were more calls than one report looks at: these are the newest, and other rules may be missing.\n"]
      : []),
  ].join("")
}

const mostLines = 10

function countLines(title: string, counts: ReadonlyArray<readonly [name: string, calls: number]>): string {
  const shown = counts.slice(0, mostLines).map(([name, calls]) => `  ${String(calls).padStart(6)}  ${showText(name)}\n`)
  const more = counts.length > mostLines ? `          and ${counts.length - mostLines} more\n` : ""
  return `\n${title}:\n${shown.join("")}${more}`
}

function ruleText(proposed: ProposedRuleView, paint: Paint): string {
  const { id, words, rule } = proposed
  const evidence = `${coverWords(proposed)}. Nobody was asked.`
  return `${paint("cyan", id)}  ${showText(words)}\n    ${paint("dim", evidence)}\n${safeLines(rule).replaceAll(/^/gm, "    ")}\n`
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
