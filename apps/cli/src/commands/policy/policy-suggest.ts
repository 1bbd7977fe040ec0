import type { SuggestionsView, SuggestionView } from "@byleave/api"
import { showText, toolName } from "@byleave/core"
import type { Command } from "commander"
import { countOf } from "../../config/problem-lines.ts"
import { acceptRules, inOwnWords } from "../../decide/accept-rules.ts"
import { asReviewer, type ReviewerFlags, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { answerOf } from "../../decide/waiting-calls.ts"
import type { Done, Io } from "../../io.ts"
import { createPaint, jsonLines, type Paint, safeLines } from "../../terminal/paint.ts"

type Flags = ReviewerFlags & { readonly accept?: readonly string[]; readonly digest?: true }

export function addPolicySuggest(policy: Command, io: Io, done: Done): void {
  withReviewerOptions(
    policy
      .command("suggest")
      .description("suggest rules that would have answered past questions as people did")
      .option("--accept <id...>", "add these suggestions to the configuration, or `all` of them")
      .option("--digest", "sum up the last seven days instead"),
  )
    .addHelpText("after", examples)
    .action(async (flags: Flags) => done(await policySuggest(flags, io)))
}

const examples = `
A suggested yes is for one agent unless several were allowed the same, covers no call that was denied and nothing that looks
sensitive, and rests on several sessions. Nothing changes until you accept it. What allows more asks for your PIN.

Examples:
  byleave policy suggest
  byleave policy suggest --accept 3f9c1a20b7de
  byleave policy suggest --digest`

function policySuggest(flags: Flags, io: Io) {
  return asReviewer(io, flags, async (desk) => {
    const told = answerOf(await desk.client.suggestRules())
    const suggestions = { ...told, items: inOwnWords(told.items) }
    const paint = createPaint(io.stdout, io.env)
    if (flags.accept === undefined) {
      const text = flags.digest === true ? digestText(suggestions, paint) : listText(suggestions, paint)
      const data = flags.digest === true ? suggestions.week : suggestions
      io.stdout.write(flags.json === true ? jsonLines(data) : text)
      return 0
    }
    await acceptRules(io, desk, {
      ...{ offered: suggestions.items, ids: flags.accept, list: "byleave policy suggest" },
      json: flags.json === true,
    })
    return 0
  })
}

function listText({ items, isCut, week }: SuggestionsView, paint: Paint): string {
  const cut = isCut ? "There was more to look at than time allowed: other rules may be missing.\n" : ""
  if (items.length === 0) return `No suggestions. ${weekWords(week)}\n${cut}`
  const blocks = items.map((one) => {
    const rule = safeLines(one.rule).replaceAll(/^/gm, "    ")
    return `${paint("cyan", one.id)}  ${showText(one.words)}\n    ${paint("dim", evidenceText(one))}\n${rule}\n`
  })
  const next = "Accept one with `byleave policy suggest --accept ID`."
  return `${blocks.join("\n")}\n${weekWords(week)}\n${cut}${next}\n`
}

function evidenceText({ approved, denied, sessions, days, saves, also, narrows, replaces }: SuggestionView): string {
  if (narrows !== null) return `You denied ${countOf(denied, "call")} that ${showText(narrows)} now lets run.`
  const did = approved > 0 ? `You allowed ${countOf(approved, "call")}` : `You denied ${countOf(denied, "call")}`
  const over = `in ${countOf(sessions, "session")} over ${countOf(days, "day")}`
  const more = also.length === 0 ? "" : ` It would also have decided ${countOf(also.length, "other call")}.`
  const less = replaces.length === 0 ? "" : ` Replaces ${countOf(replaces.length, "rule")}.`
  return `${did} ${over}. Would have saved you ${countOf(saves, "question")} in the last seven days.${more}${less}`
}

function weekWords({ asked, approved, denied, saved }: SuggestionsView["week"]): string {
  if (asked === 0) return "Nobody was asked in the last seven days."
  const which = saved === asked ? (asked === 1 ? "it" : "all of them") : `${saved} of them`
  const spared = saved === 0 ? "" : ` Suggested rules would have answered ${which}.`
  return `In the last seven days ${countOf(asked, "call")} ${asked === 1 ? "was" : "were"} answered: ${approved} allowed, ${denied} denied.${spared}`
}

function digestText({ items, week }: SuggestionsView, paint: Paint): string {
  const tools = week.tools.map(({ tool, asked }) => `  ${String(asked).padStart(5)}  ${showText(toolName(tool))}\n`)
  const top = items.slice(0, 3).map((one) => `  ${paint("cyan", one.id)}  ${showText(one.words)}\n`)
  return [
    `${weekWords(week)}\n`,
    ...(tools.length === 0 ? [] : ["\nAsked most often:\n", ...tools]),
    ...(top.length === 0 ? [] : ["\nRules that would save most:\n", ...top]),
  ].join("")
}
