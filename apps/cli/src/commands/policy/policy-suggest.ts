import { acceptRule, type SuggestionsView, type SuggestionView } from "@byleave/api"
import { showText, toolName } from "@byleave/core"
import type { Command } from "commander"
import { countOf } from "../../config/problem-lines.ts"
import { RefusedByService } from "../../decide/reviewer-client.ts"
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
    const suggestions = answerOf(await desk.client.suggestRules())
    const paint = createPaint(io.stdout, io.env)
    if (flags.accept === undefined) {
      const text = flags.digest === true ? digestText(suggestions, paint) : listText(suggestions, paint)
      const data = flags.digest === true ? suggestions.week : suggestions
      io.stdout.write(flags.json === true ? jsonLines(data) : text)
      return 0
    }
    const wanted = chosen(suggestions.items, flags.accept)
    const accepted: Array<{ readonly id: string; readonly rule: string; readonly waiting: string | null }> = []
    for (const { id, rule, effect, words } of wanted) {
      const client = effect === "allow" ? await desk.present() : desk.client
      const { waiting } = answerOf(await acceptRule(client, rule))
      accepted.push({ id, rule, waiting })
      if (flags.json === true) continue
      const state = waiting === null ? "Added" : "Added, and waits for approval"
      io.stdout.write(`${paint("green", state)}: ${showText(words)}\n`)
    }
    if (flags.json === true) io.stdout.write(jsonLines({ accepted }))
    return 0
  })
}

function chosen(items: readonly SuggestionView[], ids: readonly string[]): readonly SuggestionView[] {
  if (ids.length === 1 && ids[0] === "all") return items
  return ids.map((id) => {
    const found = items.filter((one) => one.id.startsWith(id))
    const [only] = found
    if (only !== undefined && found.length === 1) return only
    const problem =
      found.length > 1 ? `${showText(id)} names several suggestions.` : `There is no suggestion ${showText(id)}.`
    throw new RefusedByService(1, `${problem} List them with \`byleave policy suggest\`.`)
  })
}

function listText({ items, week }: SuggestionsView, paint: Paint): string {
  if (items.length === 0) return `No suggestions. ${weekWords(week)}\n`
  const blocks = items.map((one) => {
    const rule = safeLines(one.rule).replaceAll(/^/gm, "    ")
    return `${paint("cyan", one.id)}  ${showText(one.words)}\n    ${paint("dim", evidenceText(one))}\n${rule}\n`
  })
  const next = "Accept one with `byleave policy suggest --accept ID`."
  return `${blocks.join("\n")}\n${weekWords(week)}\n${next}\n`
}

function evidenceText({ approved, denied, sessions, days, saves, also, narrows }: SuggestionView): string {
  if (narrows !== null) return `You denied ${countOf(denied, "call")} that ${showText(narrows)} now lets run.`
  const did = approved > 0 ? `You allowed ${countOf(approved, "call")}` : `You denied ${countOf(denied, "call")}`
  const over = `in ${countOf(sessions, "session")} over ${countOf(days, "day")}`
  const more = also.length === 0 ? "" : ` It would also have decided ${countOf(also.length, "other call")}.`
  return `${did} ${over}. Would have saved you ${countOf(saves, "question")} in the last seven days.${more}`
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
